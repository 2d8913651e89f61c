/** For when someone asks for their data, or left long ago. */
import { type SubmissionResult, useForm } from "@conform-to/react";
import { pseudonymizeInput } from "../../domain/people/input.ts";
import { driverPath } from "../../domain/people/search.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextField } from "../../ui/forms/fields.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import type { DriverData } from "./view.server.ts";

/** The URL of everything about one person. */
export const dataPath = (id: string) => `${driverPath(id)}/data.zip`;

export function PersonalData({
	data: { person, pseudonymizing, isApproved: isFormer },
}: {
	data: DriverData;
}) {
	return (
		<Section id="personal-data" title="Personal data" className="print:hidden">
			<p className="max-w-3xl text-quiet">
				One ZIP with everything held about them: profile, sign-ins, trips, requests with their
				receipts, payouts, fees, agreements, charges, settlements, emails and audit. The download is
				recorded under your name.
			</p>
			<div className="flex flex-wrap gap-3">
				<ButtonLink variant="outline" href={dataPath(person.id)}>
					Download everything
					<span className="sr-only"> about {person.name}</span>
				</ButtonLink>
				{pseudonymizing.kind === "now" ? (
					<ButtonLink variant="destructive" href={driverPath(person.id, "pseudonymize")}>
						{isFormer ? "Pseudonymize" : "Erase"}
						<span className="sr-only"> {person.name}</span>
					</ButtonLink>
				) : null}
			</div>
			{pseudonymizing.kind === "later" ? (
				<p className="text-quiet">
					{isFormer
						? `Their records stay under their name until ${pseudonymizing.on}. From then on they can be pseudonymized.`
						: `Their application is kept until ${pseudonymizing.on}. From then on it can be erased.`}
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

/**
 * Asks for confirmation, with the driver ID or a name, before a former driver is pseudonymized or an
 * applicant is erased.
 */
export function PseudonymizeDialog({
	data: { person, pseudonymizing, isAsking, isApproved: isFormer },
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
	const { code, name } = person;
	const verb = isFormer ? "Pseudonymize" : "Erase";
	return (
		<UrlDialog
			id="pseudonymize"
			title={isFormer ? "Pseudonymize Former Driver" : "Erase Applicant"}
			back={`${driverPath(person.id)}#personal-data`}
		>
			<p className="wrap-anywhere">
				{isFormer
					? `${name} becomes 'Former driver${code ? ` ${code}` : ""}'. Their name, email, sign-ins, notes, descriptions, messages, receipts, platform names and emails are removed. ${inUnits("Miles")}, amounts, payouts and the audit stay. `
					: `The application of ${name} is removed from every list, with their name, email, sign-ins and emails. The audit stays without their name. If they sign in again, it is a new application. `}
				<strong>This can't be undone.</strong>
			</p>
			<p className="text-quiet">
				{isFormer ? "Receipt files are deleted within a day, and texts" : "Texts"} in the audit
				{isFormer ? " within two" : " are deleted within two days"}. Earlier backups still have
				them: nightly exports for up to 12 months, your own backups until you delete them.
			</p>
			<DialogForm
				dialog="pseudonymize"
				action={driverPath(person.id, "pseudonymize")}
				data-complete-first=""
				hidden={{ intent: "pseudonymize" }}
				submit={{
					label: verb,
					pending: isFormer ? "Pseudonymizing..." : "Erasing...",
					variant: "destructive",
				}}
			>
				<TextField
					field={fields.code}
					label={`Type ${code ?? name} to confirm`}
					isCheckedByBrowser
				/>
			</DialogForm>
		</UrlDialog>
	);
}
