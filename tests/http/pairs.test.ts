/**
 * Every command against every other on the same row, many at once: the audit shows a legal history
 * with one entry for each command that reported success, the emails match the final state, and
 * totals equal the sums of their rows (`npm run torture -- races` runs longer).
 */
import { it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { compareTotals } from "../../app/domain/analytics/compare.server.ts";
import { isBalanced, selectBalances } from "../../app/domain/payouts/books.server.ts";
import { diceOf } from "../../lab/torture/dice.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { type Row, RowFactory, SUBJECTS, type Subject } from "../../lab/torture/races/subjects.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const CONCURRENCY = isShort ? 6 : 20;
type Event = { readonly action: string; readonly entity_id: string };
/** The short form runs a third of the pairs, different ones with every seed. */
const ONE_OF = isShort ? 3 : 1;
type Race = { readonly subject: Subject; readonly names: readonly [string, string] };

const RACES: readonly Race[] = SUBJECTS.flatMap((subject) => {
	const names = Object.keys(subject.commands);
	return names.flatMap((one, position) =>
		names.slice(position).map((other) => ({ subject, names: [one, other] as const })),
	);
});

const raced = RACES.filter((_, position) => (position + SEED) % ONE_OF === 0);

/** The row's audit entries, in the order in which they happened. */
async function historyOf({ moves }: Subject, { about, driverId }: Row, after: number) {
	const events = await fleet.sql<Event>(
		`select action, entity_id from audit_events where id > ? and (entity_id in (?, ?)
			or actor_id = ? and action in ('request.submit', 'mileage.log')
			or action = 'payout.make' and entity_id in (select payout_id from payout_requests where request_id = ?)
			or action = 'request.ask' and entity_id in (select id from request_messages where request_id = ?))
			order by id`,
		after,
		about[0],
		about[1] ?? about[0],
		driverId,
		about[0],
		about[0],
	);
	return events.filter(({ action }) => Object.hasOwn(moves, action)).map(({ action }) => action);
}

/** The state after a history, or the first action in it that wasn't possible. */
function endOf({ moves, start }: Subject, history: readonly string[]) {
	let state = start;
	for (const action of history) {
		const move = moves[action];
		if (!move?.from.includes(state)) return { illegal: `${action} while ${state}` };
		state = move.to ?? state;
	}
	return { state };
}

/** Whether the emails still to be sent about the row are those its state calls for. */
async function wrongEmails({ emails }: Subject, { about, id }: Row, state: string) {
	const wrong: string[] = [];
	for (const [kind, expected] of Object.entries(emails?.[state] ?? {})) {
		const [found] = await fleet.sql<{ n: number }>(
			"select count(*) as n from mails where kind = ? and about_id in (?, ?, ?) and status <> 'cancelled'",
			kind,
			id,
			about[0],
			about[1] ?? id,
		);
		if (found?.n !== expected) wrong.push(`${found?.n} ${kind}, not ${expected}, when ${state}`);
	}
	return wrong;
}

/** Drivers whose totals aren't the sums of their rows, or whose books don't balance. */
async function wrongTotals(): Promise<string[]> {
	const db = new Database(fleet.database);
	const { wrong } = await compareTotals(db);
	const unbalanced: string[] = [];
	for (let after = ""; ; ) {
		const { page } = await db.batch({ page: selectBalances(db.build, after, 500) });
		unbalanced.push(...page.filter((each) => !isBalanced(each)).map(({ driverId }) => driverId));
		const last = page.at(-1);
		if (!last) return [...wrong, ...unbalanced];
		after = last.driverId;
	}
}

it(
	"every pair of commands leaves a legal history, the right emails, and totals that add up",
	async () => {
		const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
		const factory = new RowFactory(fleet, ada, ben);
		const found = { races: 0, calls: 0, failed: 0, illegal: 0, unheard: 0, emails: 0, totals: 0 };
		const both = new Set<string>();
		const broken: string[] = [];
		const run = async ({ subject, names }: Race) => {
			const what = `${subject.name}: ${names.join(" x ")}`;
			const dice = diceOf(SEED, found.races);
			const row = await subject.make(factory);
			const [last] = await fleet.sql<{ id: number }>("select max(id) as id from audit_events");
			const calls = Array.from({ length: CONCURRENCY }, (_, number) => ({
				number,
				order: dice.below(1000),
			})).sort((one, other) => one.order - other.order);
			const answers = await Promise.all(
				calls.map(async ({ number }) => {
					const name = names[number % 2] ?? names[0];
					const answer = await subject.commands[name]?.(row, { ada, ben, number });
					return { name, status: answer?.status ?? 0 };
				}),
			);
			found.races += 1;
			found.calls += answers.length;
			found.failed += answers.filter(({ status }) => status >= 500).length;
			const done = answers.filter(({ status }) => status < 400);
			for (const { name } of done) both.add(`${subject.name}: ${name}`);
			const history = await historyOf(subject, row, last?.id ?? 0);
			const { state, illegal } = endOf(subject, history);
			if (illegal) {
				found.illegal += 1;
				broken.push(`${what}: ${illegal} in ${history.join(", ")}`);
			}
			if (done.length !== history.length) {
				found.unheard += 1;
				broken.push(
					`${what}: ${done.length} succeeded (${done.map(({ name }) => name)}), the audit says ${history.join(", ")}`,
				);
			}
			const wrong = state ? await wrongEmails(subject, row, state) : [];
			found.emails += wrong.length;
			for (const each of wrong) broken.push(`${what}: ${each} (${history.join(", ")})`);
		};
		for (const round of rounds(1)) {
			for (const race of raced) await run(race);
			const wrong = await wrongTotals();
			found.totals += wrong.length;
			for (const id of wrong) broken.push(`round ${round}: the totals of ${id || "the fleet"}`);
		}
		for (const each of broken.slice(0, 30)) console.log(each);
		const commands = SUBJECTS.flatMap(({ name, commands }) =>
			Object.keys(commands).map((each) => `${name}: ${each}`),
		);
		const never = commands.filter((each) => !both.has(each));
		console.log(`${raced.length} pairs; never won: ${never.join(", ") || "none"}`);
		const tried = `races of ${CONCURRENCY}, ${raced.length} pairs`;
		report("races", [
			mustBeZero(tried, found.races, "impossible histories", found.illegal),
			mustBeZero(tried, found.races, "entries that don't match the successes", found.unheard),
			mustBeZero(tried, found.races, "missing or surplus emails", found.emails),
			mustBeZero(tried, found.races, "totals that don't match their rows", found.totals),
			mustBeZero("commands", found.calls, "answers of 500 and more", found.failed),
		]);
	},
	TIMEOUT,
);
