/** 'Add many': invites a list of drivers, and reports the result of each. */
import { json } from "@remix-run/cloudflare";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import {
	type InvitationResult,
	inviteDrivers,
} from "../../domain/people/commands/invite-many.server.ts";
import {
	invitationsInput,
	MAX_INVITATIONS,
	readInvitations,
	wholeLines,
} from "../../domain/people/invitations.ts";
import { type PeopleRefusal, whyNotChanged } from "../../domain/people/refusals.ts";
import { displayName, formatDriverCode } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { messagesOf, parseForm } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { driverFailure } from "../../messages.ts";
import type { Outcome } from "../../values/outcome.ts";

/** The person who has an email that was to be invited. */
export type EmailHolder = { readonly name: string; readonly href: string };

/** The person a refusal is about, if the email is theirs. */
export function holderOf(
	outcome: InvitationResult["outcome"] | Outcome<unknown, PeopleRefusal>,
): EmailHolder | undefined {
	if (!("reason" in outcome) || outcome.reason !== "email-taken") return undefined;
	const { id, name } = outcome.details;
	return id === undefined ? undefined : { name, href: driverPath(id) };
}

/** The result of a list that wasn't invited completely. */
export type InvitationsAnswer = {
	/** Names with driver IDs. */
	readonly invited: readonly string[];
	readonly refused: readonly {
		readonly position: number;
		readonly line: string;
		readonly why: string;
		readonly holder: EmailHolder | undefined;
		/** Whether another line covers it. */
		readonly isDone: boolean;
	}[];
	/** Lines that weren't processed. */
	readonly left: number;
	/** What is still to be invited: the refused and the remaining lines, below their column names. */
	readonly list: string;
};

/** How many names fit into a toast. */
const NAMED = 3;

/**
 * Invites the drivers of the form's list.
 * @param place the screen's state, with the pages of its lists
 */
export async function inviteMany(context: RequestContext, admin: AdminContext, place: string) {
	const submission = await parseForm(context, invitationsInput);
	if (submission.status !== "success") {
		const toast = driverFailure("add-many", messagesOf(submission)[0]);
		const reply = submission.reply();
		const people = wholeLines(String(reply.initialValue?.people ?? ""));
		const form = { ...reply, initialValue: { ...reply.initialValue, people } };
		return json({ toast, form, dialog: "add-many" as const }, { status: 400 });
	}
	const { people, key } = submission.value;
	const { head, drivers } = readInvitations(people);
	const rest = drivers.slice(MAX_INVITATIONS);
	const now = drivers.slice(0, MAX_INVITATIONS);
	const results = await inviteDrivers(admin, now, key, context.settings);
	const invited = results.flatMap(({ outcome }) =>
		"ok" in outcome && outcome.ok
			? [`${displayName(outcome.value)} (${formatDriverCode(outcome.value.driverNumber)})`]
			: [],
	);
	const refused = results.flatMap(({ line, outcome }, position) => {
		const why = whyNotInvited(outcome, admin);
		if (why === undefined) return [];
		const isDone = "fault" in outcome && outcome.isRepeated === true;
		return [{ position, line, why, holder: holderOf(outcome), isDone }];
	});
	if (invited.length > 0 && refused.length + rest.length === 0)
		return seeOther(`${place}#active`, context.settings, ["driversInvited", summaryOf(invited)]);
	const left = [...refused.filter(({ isDone }) => !isDone), ...rest].map(({ line }) => line);
	const invitations: InvitationsAnswer = {
		invited,
		refused,
		left: rest.length,
		list: [...(head && left.length > 0 ? [head] : []), ...left].join("\n"),
	};
	return json({ invitations, dialog: "add-many" as const }, { status: refused.length ? 400 : 200 });
}

function whyNotInvited(outcome: InvitationResult["outcome"], admin: AdminContext) {
	if ("fault" in outcome) return outcome.fault;
	return outcome.ok ? undefined : onForm(whyNotChanged(outcome, admin)).message;
}

/** `Ana Lima (DRV-0006), Ben Oduya (DRV-0007), Cleo Park (DRV-0008) and 9 more` */
function summaryOf(names: readonly string[]): string {
	const more = names.length - NAMED;
	return more > 0
		? `${names.slice(0, NAMED).join(", ")} and ${more} more`
		: new Intl.ListFormat("en").format(names);
}
