/**
 * What the forms about a platform's statement do: answer its questions, import it, forget a driver.
 */
import { json } from "@remix-run/cloudflare";
import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { searchPeople } from "../../domain/people/choice.server.ts";
import { type PersonChoice, resultCount, toPersonChoice } from "../../domain/people/choice.ts";
import type { Answers } from "../../domain/statements/answers.ts";
import { forgetDriver } from "../../domain/statements/commands/forget-driver.server.ts";
import { importStatement } from "../../domain/statements/commands/import.server.ts";
import { openStatement } from "../../domain/statements/open.server.ts";
import {
	NOTHING_READY,
	whyNotForgotten,
	whyNotImported,
	whyNotOpened,
} from "../../domain/statements/refusals.ts";
import { unmatchedOf } from "../../domain/statements/unknown-drivers.ts";
import { textField } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, withReason } from "../../messages.ts";
import { isCalendarDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import type { ImportAnswer } from "./answer.ts";
import { readTypedAnswers, type TypedAnswers } from "./typed-answers.server.ts";

const statementPath = (id: string) => `/uber-fees/import?statement=${id}`;

/** What the answers mean, or why they can't be read. */
async function readAnswers(
	admin: AdminContext,
	{ from, to, overlap, changed, unproven, columns, ...typed }: TypedAnswers,
): Promise<Partial<Answers> | string> {
	const drivers: Record<string, string> = {};
	for (const { identity, id } of typed.drivers) if (id !== "") drivers[identity] = id;
	const found = await findTypedDrivers(
		admin,
		typed.drivers.flatMap(({ identity, id, text }) =>
			id === "" && text !== "" ? [[identity, text] as const] : [],
		),
	);
	if (typeof found === "string") return found;
	Object.assign(drivers, found);
	if ((from || to) && !(isCalendarDate(from) && isCalendarDate(to)))
		return "Enter the first and last day of the statement.";
	if (isCalendarDate(from) && isCalendarDate(to) && from > to)
		return "The first day is after the last one.";
	return {
		...(Object.keys(drivers).length > 0 ? { drivers } : {}),
		...(isCalendarDate(from) && isCalendarDate(to) ? { from, to } : {}),
		// An unticked box retracts an earlier yes.
		overlap,
		changed,
		unproven: unproven || undefined,
		...(columns ? { columns } : {}),
	};
}

/**
 * The drivers that typed names, codes and emails mean, by the platform's drivers; or which text
 * means nobody.
 */
async function findTypedDrivers(
	{ db }: AdminContext,
	typed: readonly (readonly [identity: string, text: string])[],
): Promise<Record<string, string> | string> {
	if (typed.length === 0) return {};
	const rows = await db.batch(
		Object.fromEntries(
			typed.map(([, text], position) => [
				`typed${position}`,
				searchPeople(db.build, "approvedDrivers", text),
			]),
		),
	);
	const drivers: Record<string, string> = {};
	for (const [position, [identity, text]] of typed.entries()) {
		const asked = { id: "", text, answered: "" };
		const choice = toPersonChoice(rows[`typed${position}`] ?? [], asked);
		if (!choice.match) return unmatchedWords(choice);
		drivers[identity] = choice.match.id;
	}
	return drivers;
}

/** How many drivers a refusal names. */
const NAMED = 5;

/** Why a text doesn't mean exactly one driver, with the candidates. */
function unmatchedWords(choice: PersonChoice): string {
	const names = choice.people.slice(0, NAMED).map(({ label }) => label);
	const more = choice.people.length > NAMED ? ", and others" : "";
	return [
		resultCount(choice),
		...(names.length > 0 ? [`Did you mean ${names.join(", ")}${more}?`] : []),
	].join(" ");
}

/** An answer that says why nothing was done. */
export const refusedWith = (status: number, problem: string): ImportAnswer => ({
	status,
	toast: TOASTS.feeImportFailed,
	problem,
});

/** The form's statement with its answers. */
async function openFromForm(context: RequestContext, admin: AdminContext) {
	const id = await textField(context, "id");
	const typed = await readTypedAnswers(context);
	const answers = await readAnswers(admin, typed);
	if (typeof answers === "string") return refusedWith(400, answers);
	const outcome = await openStatement(
		admin,
		statementStore(context),
		{ kind: "waiting", id },
		answers,
	);
	if (outcome.ok) return outcome.value;
	const { status, message } = onForm(whyNotOpened(outcome, admin));
	return refusedWith(status, message);
}

/** Stores the answers and shows the statement with them. */
export async function answerAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | ImportAnswer> {
	const statement = await openFromForm(context, admin);
	if ("status" in statement) return statement;
	return seeOther(statementPath(statement.id), context.settings);
}

/** Imports what is ready. */
export async function importStatementAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | ImportAnswer> {
	const statement = await openFromForm(context, admin);
	if ("status" in statement) return statement;
	const seen = await textField(context, "seen");
	const outcome = await importStatement(admin, statementStore(context), statement, "ready", seen);
	if (!outcome.ok) {
		const { status, message } = onForm(whyNotImported(outcome, admin));
		return refusedWith(status, message);
	}
	const { import: made, plan } = outcome.value;
	const isOpen = unmatchedOf(plan).unmatchedDrivers > 0;
	if (!made)
		return isOpen
			? refusedWith(NOTHING_READY.status, NOTHING_READY.message)
			: seeOther(statementPath(statement.id), context.settings, "feesThere");
	const added = made.isMoneyOnly
		? `Drivers' money in ${pluralize(made.rowCount, "row")}`
		: pluralize(made.rowCount, "Uber fee");
	const there = isOpen ? statementPath(statement.id) : `/uber-fees/import#import-${made.id}`;
	return seeOther(there, context.settings, ["feesImported", added]);
}

/** Removes a remembered match of a platform's driver. */
export async function forgetAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | ImportAnswer> {
	const outcome = await forgetDriver(admin, await textField(context, "id"));
	if (outcome.ok)
		return seeOther("/uber-fees/import#remembered", context.settings, "platformDriverForgotten");
	const { status, message } = onForm(whyNotForgotten(outcome, admin));
	return { status, toast: withReason(TOASTS.platformDriverForgetFailed, message) };
}

/** Where a statement is shown: a redirect or, for the island, its URL. */
export function shownAt(request: Request, context: RequestContext, id: string) {
	const path = statementPath(id);
	return request.headers.get("Accept") === "application/json"
		? json({ location: path })
		: seeOther(path, context.settings);
}
