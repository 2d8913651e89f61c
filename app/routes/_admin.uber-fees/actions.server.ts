/** What the forms of this screen do. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import {
	isSearchPending,
	type PersonQuery,
	parsePerson,
	toPersonChoice,
	unresolvedMessage,
} from "../../domain/people/choice.ts";
import { addFee } from "../../domain/uber-fees/commands/add.server.ts";
import { deleteFee } from "../../domain/uber-fees/commands/delete.server.ts";
import { addFeeInput, feeIdInput } from "../../domain/uber-fees/input.ts";
import type { FeeWithDriver } from "../../domain/uber-fees/json.ts";
import { whyNotAdded, whyNotDeleted } from "../../domain/uber-fees/refusals.ts";
import { FIND_DRIVER } from "../../domain/uber-fees/rules.ts";
import { type FeePlace, listUrl } from "../../domain/uber-fees/search.ts";
import { messagesOf, parseForm, textField } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { refused } from "../../values/outcome.ts";

type FieldFaults = Readonly<Record<string, string[]>>;

/** What a refused post of this screen answers: the form as typed, with its errors. */
export type FeeAnswer = {
	readonly status: number;
	readonly toast?: Toast;
	readonly form?: SubmissionResult;
	readonly problems?: readonly string[];
	/** Fields that only the database can find invalid, and their messages. */
	readonly faults?: FieldFaults;
	/** The key was used by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
	/** The fee to be replaced no longer exists. */
	readonly isFresh?: boolean;
};

/** Shows the form again with the drivers that its search finds: the loader looks for them. */
async function findAction(context: RequestContext, admin: AdminContext): Promise<FeeAnswer> {
	const { error: _, ...form } = (await parseForm(context, addFeeInput(admin.today))).reply();
	return { status: 200, form };
}

/**
 * Adds the form's fee; with one to replace, that one is deleted in the same step.
 * @param place what is listed
 */
export async function addAction(
	context: RequestContext,
	admin: AdminContext,
	place: FeePlace,
): Promise<Response | FeeAnswer> {
	if ((await textField(context, "intent")) === FIND_DRIVER) return findAction(context, admin);
	const asked = parsePerson(await context.form(), "driverId");
	const typed = isSearchPending(asked) ? await findTypedDriver(admin, asked) : {};
	const submission = await parseForm(
		context,
		addFeeInput(admin.today),
		typed.id ? { driverId: typed.id } : {},
	);
	if (submission.status !== "success" || typed.problem) {
		const form = submission.reply();
		// The reason nobody was found replaces the field's own message.
		const faults: FieldFaults = typed.problem ? { driverId: [typed.problem] } : {};
		return {
			status: 400,
			toast: TOASTS.feeFailed,
			form,
			problems: messagesOf({ error: { ...form.error, ...faults } }),
			faults,
		};
	}
	const outcome = await addFee(admin, submission.value);
	if (!outcome.ok) {
		const { status, message, field } = onForm(whyNotAdded(outcome, admin));
		return {
			status,
			toast: TOASTS.feeFailed,
			form: submission.reply(),
			problems: [message],
			...(field ? { faults: { [field]: [message] } } : {}),
			needsNewKey: outcome.reason === "key-reused",
			isFresh: outcome.reason === "not-to-replace",
		};
	}
	const { row, isReplay } = outcome.value;
	const toast = isReplay ? "feeReceivedBefore" : row.fee.replacesId ? "feeReplaced" : "feeAdded";
	return seeOther(shownAt(row, place), context.settings, toast);
}

/**
 * Where an added fee is shown: on the first page, of its driver if theirs are listed. One that
 * replaces a fee of a later page starts a page itself: it isn't always on that page.
 */
function shownAt({ fee }: FeeWithDriver, { driverId, position }: FeePlace): string {
	const isListed = driverId === "" || driverId === fee.driverId;
	const { chargedOn, createdAt, id } = fee;
	const itself = { way: "after", cursor: { chargedOn, createdAt: createdAt + 1, id } } as const;
	const place = {
		driverId: isListed ? driverId : "",
		position: fee.replacesId && position ? itself : undefined,
	};
	return `${listUrl(place)}#fee-${id}`;
}

/**
 * The one driver that the typed name means, or why there is none. A typed name beside a different
 * choice needs confirmation.
 */
async function findTypedDriver(
	admin: AdminContext,
	asked: PersonQuery,
): Promise<{ id?: string; problem?: string }> {
	const { db } = admin;
	const { people } = await db.batch({
		people: selectPersonChoices(db.build, "activeDrivers", asked),
	});
	const choice = toPersonChoice(people, asked, "activeDrivers");
	if (!choice.isSearch) return {};
	if (choice.match && (!choice.chosen || choice.chosen.id === choice.match.id))
		return { id: choice.match.id };
	return { problem: unresolvedMessage(choice, "Nothing was added.") };
}

/**
 * Deletes the dialog's fee.
 * @param place what is listed
 */
export async function deleteAction(
	context: RequestContext,
	admin: AdminContext,
	place: FeePlace,
): Promise<Response | FeeAnswer> {
	const submission = await parseForm(context, feeIdInput);
	const outcome =
		submission.status === "success"
			? await deleteFee(admin, submission.value.id)
			: refused("not-found");
	if (outcome.ok) return seeOther(`${listUrl(place)}#fees`, context.settings, "feeDeleted");
	const { status, message } = onForm(whyNotDeleted(outcome, admin));
	return {
		status,
		toast: withReason(TOASTS.feeDeletionFailed, message),
	};
}
