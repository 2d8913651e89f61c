/** The form that invites many drivers at once, and the result of each line. */
import { type SubmissionResult, useForm } from "@conform-to/react";
import { INVITATION_FIELDS } from "../../domain/people/fields.ts";
import { invitationsInput, MAX_INVITATIONS } from "../../domain/people/invitations.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { Icon } from "../../ui/icons.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { EmailHolder, InvitationsAnswer } from "./invite-many.server.ts";

/** What was invited, and each refused line with its reason; those stay in the form below. */
function Results({ invited, refused, left }: InvitationsAnswer) {
	return (
		<div className="grid gap-3" role="status">
			{invited.length > 0 ? (
				<div className="grid gap-1">
					<h3 className="flex items-center gap-2 font-semibold text-good">
						<Icon name="check" />
						{invited.length} invited
					</h3>
					<ul className="grid gap-1 ps-7 text-sm">
						{invited.map((name) => (
							<li key={name} className="wrap-anywhere">
								{name}
							</li>
						))}
					</ul>
				</div>
			) : null}
			{refused.length > 0 ? (
				<div className="grid gap-1">
					<h3 className="flex items-center gap-2 font-semibold text-bad">
						<Icon name="warning" />
						{refused.length} not invited
					</h3>
					<ul className="grid gap-2 ps-7 text-sm">
						{refused.map(({ position, line, why, holder }) => (
							<li key={position} className="wrap-anywhere">
								<span className="font-semibold">{line}</span>
								<br />
								{why}
								<HolderLink holder={holder} />
							</li>
						))}
					</ul>
				</div>
			) : null}
			{left > 0 ? (
				<p>
					{MAX_INVITATIONS} are invited at a time. The other {left} are still in the list.
				</p>
			) : null}
		</div>
	);
}

/** Opens the page of the person who has the email. */
export function HolderLink({ holder }: { holder: EmailHolder | undefined }) {
	if (!holder) return null;
	return (
		<a
			className="flex min-h-11 items-center font-semibold wrap-anywhere text-accent"
			href={holder.href}
		>{`Open ${holder.name}`}</a>
	);
}

/** @param back the screen without the dialog */
export function AddMany({
	action,
	back,
	form: lastResult,
	answer,
	newKey,
}: {
	action: string;
	back: string;
	form: SubmissionResult | undefined;
	answer: InvitationsAnswer | undefined;
	newKey: string;
}) {
	const [, fields] = useForm<{ people: string }>({
		id: "invitations",
		lastResult: lastResult ?? null,
		defaultValue: { people: answer?.list ?? "" },
		constraint: constraintOf(invitationsInput),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog
			id="add-many"
			title="Add Many Drivers"
			back={back}
			startsAtTitle={answer !== undefined}
		>
			{answer ? (
				<Results {...answer} />
			) : (
				<p className="text-quiet">
					Everyone on the list is approved right away, gets a driver ID and an invitation by email
					that expires in 30 days.
				</p>
			)}
			<DialogForm
				dialog="add-many"
				action={action}
				hidden={{ intent: "add-many", key: newKey }}
				submit={{ label: "Invite", pending: "Inviting..." }}
				cancel={answer ? "Close" : "Cancel"}
			>
				<TextareaField
					field={fields.people}
					label={answer ? "Still to invite" : INVITATION_FIELDS.people.label}
					hint={
						<>
							An email address, with a name if you have it: <code>ana@example.com, Ana, Lima</code>.
							Rows pasted from a spreadsheet or a CSV work too. Drivers without a name are asked for
							it.
						</>
					}
					rows={8}
					spellCheck={false}
				/>
			</DialogForm>
		</UrlDialog>
	);
}
