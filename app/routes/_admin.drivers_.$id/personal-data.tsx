/** For when someone asks for their data, or has left long ago. */
import { type SubmissionResult, useForm } from "@conform-to/react";
import { pseudonymizeInput } from "../../domain/drivers/input.ts";
import { driverPath } from "../../domain/drivers/search.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextField } from "../../ui/forms/fields.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { DriverData } from "./view.server.ts";

export function PersonalData({ data: { person, pseudonymizing } }: { data: DriverData }) {
	return (
		<Section id="personal-data" title="Personal data" className="print:hidden">
			<p className="max-w-3xl text-quiet">
				One ZIP with everything held about them: profile, sign-ins, trips, requests with their
				receipts, payouts, fees, emails and audit. The download is recorded under your name.
			</p>
			<div className="flex flex-wrap gap-3">
				<ButtonLink variant="outline" href={`${driverPath(person.id)}/data.zip`}>
					Download everything
					<span className="sr-only"> about {person.name}</span>
				</ButtonLink>
				{pseudonymizing.kind === "now" ? (
					<ButtonLink variant="destructive" href={driverPath(person.id, "pseudonymize")}>
						Pseudonymize
						<span className="sr-only"> {person.name}</span>
					</ButtonLink>
				) : null}
			</div>
			{pseudonymizing.kind === "later" ? (
				<p className="text-quiet">
					Their records stay under their name until {pseudonymizing.on}. From then on they can be
					pseudonymized.
				</p>
			) : null}
			{pseudonymizing.kind === "done" ? (
				<p className="text-quiet">
					Pseudonymized on {pseudonymizing.on}: this person can no longer be identified.
				</p>
			) : null}
		</Section>
	);
}

/** Asks for confirmation, with the driver ID, before a former driver is pseudonymized. */
export function PseudonymizeDialog({
	data: { person, pseudonymizing, isAsking },
	form,
}: {
	data: DriverData;
	form: SubmissionResult | undefined;
}) {
	const [, fields] = useForm<{ code: string }>({
		id: "pseudonymize",
		lastResult: form ?? null,
		constraint: constraintOf(pseudonymizeInput),
		defaultNoValidate: false,
	});
	if (!isAsking || pseudonymizing.kind !== "now") return null;
	return (
		<UrlDialog
			id="pseudonymize"
			title="Pseudonymize Former Driver"
			back={`${driverPath(person.id)}#personal-data`}
		>
			<p className="wrap-anywhere">
				{person.name} becomes 'Former driver {person.code}'. Their name, email, sign-ins, notes,
				descriptions, messages, receipts, platform names and emails are removed. Miles, amounts,
				payouts and the audit stay. <strong>This can't be undone.</strong>
			</p>
			<p className="text-quiet">
				Receipt files are deleted within a day, and texts in the audit within two. Earlier backups
				still have them: nightly exports for up to 12 months, your own backups until you delete
				them.
			</p>
			<DialogForm
				dialog="pseudonymize"
				action={driverPath(person.id, "pseudonymize")}
				data-complete-first=""
				hidden={{ intent: "pseudonymize" }}
				submit={{ label: "Pseudonymize", pending: "Pseudonymizing...", variant: "destructive" }}
			>
				<TextField
					field={fields.code}
					label={`Type ${person.code} to confirm`}
					isCheckedByBrowser
				/>
			</DialogForm>
		</UrlDialog>
	);
}
