/** Every change on the screen. Each row's form has an `intent` and an `id`. */
import type { SubmissionResult } from "@conform-to/react";
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext, UserRow } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import type { Site } from "../../domain/mail/queue.server.ts";
import { approveDriver } from "../../domain/people/commands/approve.server.ts";
import { cancelInvitation } from "../../domain/people/commands/cancel-invitation.server.ts";
import {
	createAdmin,
	createDriver,
	createViewer,
} from "../../domain/people/commands/create.server.ts";
import { rejectDriver } from "../../domain/people/commands/reject.server.ts";
import { renameDriver } from "../../domain/people/commands/rename.server.ts";
import { renewInvitation } from "../../domain/people/commands/renew-invitation.server.ts";
import { setDriverActive } from "../../domain/people/commands/set-active.server.ts";
import { newAdminInput, newPersonInput, renameInput } from "../../domain/people/input.ts";
import { type PeopleRefusal, whyNotChanged } from "../../domain/people/refusals.ts";
import { displayName } from "../../domain/people/rules.ts";
import { driversUrl, parseSearch, withoutDialog } from "../../domain/people/search.ts";
import { messagesOf, parseForm, textField } from "../../http/form.server.ts";
import { unknownAction } from "../../http/intent.server.ts";
import { seeOther, type ToastRef } from "../../http/toast.server.ts";
import { driverFailure, type NamedToastName, type Toast } from "../../messages.ts";
import type { Outcome } from "../../values/outcome.ts";
import {
	type EmailHolder,
	holderOf,
	type InvitationsAnswer,
	inviteMany,
} from "./invite-many.server.ts";

/** What the screen shows after a refused change. */
export type ActionError = {
	readonly toast?: Toast | undefined;
	readonly form?: SubmissionResult;
	/** The dialog whose form was refused, wherever it was sent from. */
	readonly dialog?: "add-driver" | "add-many" | "create-admin";
	/** Who has the email already. */
	readonly holder?: EmailHolder | undefined;
	/** The results of a list of drivers. */
	readonly invitations?: InvitationsAnswer;
	/** The key was used by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
};

type Change = (
	admin: AdminContext,
	id: string,
	site: Site,
	/** What the form showed, if that matters. */
	seen: "pending" | undefined,
) => Promise<Outcome<UserRow, PeopleRefusal>>;
const withName = (name: NamedToastName) => (person: UserRow) =>
	[name, displayName(person)] as const;

/** The toast for an administrator or an accountant. */
const withOffice = (admin: NamedToastName, viewer: NamedToastName) => (person: UserRow) =>
	withName(person.role === "admin" ? admin : viewer)(person);

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
		said: withOffice("adminDeactivated", "viewerDeactivated"),
	},
	activate: {
		change: (admin, id) => setDriverActive(admin, id, true),
		said: (person) =>
			person.role === "driver"
				? withName("driverActivated")(person)
				: withOffice("adminActivated", "viewerActivated")(person),
	},
	renew: { change: renewInvitation, said: withName("invitationRenewed") },
	cancel: { change: cancelInvitation, said: withName("invitationCancelled") },
};

/** A posted form of the list, or of a person's own page. */
type Posted = {
	readonly admin: AdminContext;
	readonly context: RequestContext;
	readonly intent: string;
	/** Whom it is about, unless it adds someone. */
	readonly id: string;
	/** Where the person is shown afterwards. */
	readonly shownAt: (person: UserRow) => string;
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
	const place = driversUrl(withoutDialog(parseSearch(new URL(request.url).searchParams)));
	const posted: Posted = {
		admin,
		context,
		intent,
		id: page?.id ?? (await textField(context, "id")),
		shownAt: (person) => page?.path ?? `${place}#row-${person.id}`,
	};
	const row = Object.hasOwn(ROW_CHANGES, intent) ? ROW_CHANGES[intent] : undefined;
	if (row) {
		const seen = (await textField(context, "seen")) === "pending" ? "pending" : undefined;
		const outcome = await row.change(admin, posted.id, context.settings, seen);
		return answer(posted, outcome, row.said);
	}
	if (intent === "add-driver") return addDriver(posted);
	if (intent === "create-admin") return addAdmin(posted);
	if (intent === "rename") return rename(posted);
	if (intent === "add-many" && !page) return inviteMany(context, admin, place);
	throw unknownAction();
}

/** Shows the person, or what prevented it. */
function answer(
	posted: Posted,
	outcome: Outcome<UserRow, PeopleRefusal>,
	said: (person: UserRow) => ToastRef,
) {
	if (!outcome.ok) return refuseChange(posted, outcome);
	return seeOther(posted.shownAt(outcome.value), posted.context.settings, said(outcome.value));
}

/** Says what prevented a change; a form is shown again with it. */
function refuseChange(
	{ admin, intent }: Posted,
	outcome: PeopleRefusal,
	form: Pick<ActionError, "form" | "dialog" | "holder"> = {},
) {
	const { status, message } = whyNotChanged(outcome, admin);
	const notDone: ActionError = {
		toast: driverFailure(intent, message),
		...form,
		...(outcome.reason === "key-reused" ? { needsNewKey: true } : {}),
	};
	return json(notDone, { status });
}

/** Shows a form again that can't be what was meant. */
function refuseForm(
	{ intent }: Posted,
	form: SubmissionResult,
	more: Pick<ActionError, "dialog"> = {},
) {
	const toast = driverFailure(intent, messagesOf(form)[0]);
	return json<ActionError>({ toast, form, ...more }, { status: 400 });
}

/** Adds a driver. */
async function addDriver(posted: Posted) {
	const submission = await parseForm(posted.context, newPersonInput);
	const dialog = "add-driver";
	if (submission.status !== "success") return refuseForm(posted, submission.reply(), { dialog });
	const outcome = await createDriver(posted.admin, submission.value, posted.context.settings);
	return created(posted, outcome, submission, dialog, () => "driverCreated");
}

/** Adds an administrator or an accountant. */
async function addAdmin(posted: Posted) {
	const submission = await parseForm(posted.context, newAdminInput);
	const dialog = "create-admin";
	if (submission.status !== "success") return refuseForm(posted, submission.reply(), { dialog });
	const isViewer = submission.value.role === "viewer";
	const make = isViewer ? createViewer : createAdmin;
	const outcome = await make(posted.admin, submission.value, posted.context.settings);
	const said = withName(isViewer ? "viewerCreated" : "adminCreated");
	return created(posted, outcome, submission, dialog, said);
}

/** Shows the new person, or the form again with what prevented it. */
function created(
	posted: Posted,
	outcome: Outcome<UserRow, PeopleRefusal>,
	submission: Pick<Awaited<ReturnType<typeof parseForm<typeof newPersonInput>>>, "reply">,
	dialog: "add-driver" | "create-admin",
	said: (person: UserRow) => ToastRef,
) {
	if (outcome.ok) return answer(posted, outcome, said);
	const words = [onForm(whyNotChanged(outcome, posted.admin)).message];
	const form = submission.reply(
		outcome.reason === "email-taken" ? { fieldErrors: { email: words } } : { formErrors: words },
	);
	return refuseChange(posted, outcome, { form, dialog, holder: holderOf(outcome) });
}

async function rename(posted: Posted) {
	const submission = await parseForm(posted.context, renameInput);
	if (submission.status !== "success") return refuseForm(posted, submission.reply());
	const knownAs = (await textField(posted.context, "knownAs")) || undefined;
	const outcome = await renameDriver(posted.admin, posted.id, submission.value, knownAs);
	if (!outcome.ok) return refuseChange(posted, outcome, { form: submission.reply() });
	return answer(posted, outcome, withName("driverRenamed"));
}
