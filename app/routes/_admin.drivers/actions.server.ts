/** Every change on the screen. Each row's form has an `intent` and an `id`. */
import type { SubmissionResult } from "@conform-to/react";
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import type { AdminContext, UserRow } from "../../domain/context.ts";
import { approveDriver } from "../../domain/drivers/commands/approve.server.ts";
import { cancelInvitation } from "../../domain/drivers/commands/cancel-invitation.server.ts";
import { createAdmin, createDriver } from "../../domain/drivers/commands/create.server.ts";
import { rejectDriver } from "../../domain/drivers/commands/reject.server.ts";
import { renameDriver } from "../../domain/drivers/commands/rename.server.ts";
import { renewInvitation } from "../../domain/drivers/commands/renew-invitation.server.ts";
import { setDriverActive } from "../../domain/drivers/commands/set-active.server.ts";
import { newPersonInput, renameInput } from "../../domain/drivers/input.ts";
import { type PeopleRefusal, whyNotChanged } from "../../domain/drivers/refusals.ts";
import { driversUrl, parseSearch, withoutDialog } from "../../domain/drivers/search.ts";
import type { Site } from "../../domain/mail/queue.server.ts";
import { onForm } from "../../domain/refusal-table.ts";
import { displayName } from "../../domain/users/rules.ts";
import { parseForm, textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther, type ToastRef } from "../../http/toast.server.ts";
import { driverFailure, type NamedToastName, type Toast } from "../../messages.ts";
import type { Outcome } from "../../values/outcome.ts";
import { type InvitationsAnswer, inviteMany } from "./invite-many.server.ts";

/** What the screen shows after a refused change. */
export type ActionError = {
	readonly toast?: Toast | undefined;
	readonly form?: SubmissionResult;
	/** The dialog whose form was refused, wherever it was sent from. */
	readonly dialog?: "add-driver" | "add-many" | "create-admin";
	/** The results of a list of drivers. */
	readonly invitations?: InvitationsAnswer;
	/** The key was used by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
};

type Change = (
	admin: AdminContext,
	id: string,
	site: Site,
) => Promise<Outcome<UserRow, PeopleRefusal>>;
const withName = (name: NamedToastName) => (person: UserRow) =>
	[name, displayName(person)] as const;

/** What each of a row's buttons does, and its toast. */
const ROW_CHANGES: Readonly<
	Record<string, { readonly change: Change; readonly said: (person: UserRow) => ToastRef }>
> = {
	approve: { change: approveDriver, said: () => "driverApproved" },
	reject: { change: rejectDriver, said: () => "driverRejected" },
	delete: {
		change: (admin, id) => setDriverActive(admin, id, false),
		said: withName("driverDeactivated"),
	},
	deactivate: {
		change: (admin, id) => setDriverActive(admin, id, false),
		said: withName("adminDeactivated"),
	},
	activate: {
		change: (admin, id) => setDriverActive(admin, id, true),
		said: (person) =>
			withName(person.role === "admin" ? "adminActivated" : "driverActivated")(person),
	},
	renew: { change: renewInvitation, said: withName("invitationRenewed") },
	cancel: { change: cancelInvitation, said: withName("invitationCancelled") },
};

/**
 * Makes the change that a form asks for.
 * @param page the person's own page, if it isn't the list
 */
export async function changeDrivers(
	admin: AdminContext,
	{ context, request }: ActionFunctionArgs,
	page?: { readonly id: string; readonly path: string },
) {
	const intent = await textField(context, "intent");
	const id = page?.id ?? (await textField(context, "id"));
	const place = driversUrl(withoutDialog(parseSearch(new URL(request.url).searchParams)));

	const answer = (
		outcome: Outcome<UserRow, PeopleRefusal>,
		said: (person: UserRow) => ToastRef,
		form?: SubmissionResult,
	) => {
		if (outcome.ok) {
			return seeOther(
				page?.path ?? `${place}#row-${outcome.value.id}`,
				context.settings,
				said(outcome.value),
			);
		}
		const { status, message } = whyNotChanged(outcome, admin);
		const notDone: ActionError = {
			toast: driverFailure(intent, message),
			...(form
				? {
						form,
						...(intent === "add-driver" || intent === "create-admin" ? { dialog: intent } : {}),
					}
				: {}),
			...(outcome.reason === "key-reused" ? { needsNewKey: true } : {}),
		};
		return json(notDone, { status });
	};

	const row = Object.hasOwn(ROW_CHANGES, intent) ? ROW_CHANGES[intent] : undefined;
	if (row) return answer(await row.change(admin, id, context.settings), row.said);

	if (intent === "add-driver" || intent === "create-admin") {
		const submission = await parseForm(context, newPersonInput);
		if (submission.status !== "success")
			return json<ActionError>({ form: submission.reply(), dialog: intent }, { status: 400 });
		const create = intent === "add-driver" ? createDriver : createAdmin;
		const outcome = await create(admin, submission.value, context.settings);
		const why = (refused: PeopleRefusal) => [onForm(whyNotChanged(refused, admin)).message];
		const form = outcome.ok
			? undefined
			: submission.reply(
					outcome.reason === "email-taken"
						? { fieldErrors: { email: why(outcome) } }
						: { formErrors: why(outcome) },
				);
		return answer(
			outcome,
			(person) =>
				intent === "add-driver" ? "driverCreated" : ["adminCreated", displayName(person)],
			form,
		);
	}
	if (intent === "add-many" && !page) return inviteMany(context, admin, place);
	if (intent === "rename") {
		const submission = await parseForm(context, renameInput);
		if (submission.status !== "success")
			return json<ActionError>({ form: submission.reply() }, { status: 400 });
		return answer(await renameDriver(admin, id, submission.value), withName("driverRenamed"));
	}
	throw refusal(
		{
			kind: "bad-request",
			message: "This action isn't available here. Nothing was changed.",
		},
		400,
	);
}
