/**
 * Other people's ids in every place that takes one, in many spellings, from people who may not see
 * what they name and from sessions past their end: nothing is shown and nothing changes
 * (`npm run torture -- forgery` goes on for longer).
 */
import { expect, it } from "vitest";
import { diceOf } from "../../lab/torture/dice.ts";
import { type Forged, forge, forgeEverywhere } from "../../lab/torture/forgery/forge.ts";
import { createIntruders } from "../../lab/torture/forgery/intruders.ts";
import { createVictim, SECRET } from "../../lab/torture/forgery/victim.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { RowFactory } from "../../lab/torture/races/subjects.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { oneIn } from "../support/extent.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const factory = new RowFactory(fleet, await fleet.as("ada"), await fleet.as("ben"));

/** Rounds with the same intruders, few enough to stay below the hourly limits. */
const SAME_INTRUDERS = 200;

/** The short form tries one in so many query parameters. */
const QUERY_SHARE = 15;

/** The screen that applicants get with 200 at every URL of a page. */
const GATE = />Application (?:Under Review|Not Approved)<\/h1>/;

/** Whether a response reveals anything about the victim. */
const showsSecret = ({ text, headers }: Answer) =>
	text.includes(SECRET) || [...headers].some(([, value]) => value.includes(SECRET));

it(
	"shows nobody another person's rows and lets nobody change them",
	async () => {
		const victim = await createVictim(factory);
		const before = await victim.snapshot();
		const found = { sent: 0, shown: 0, letIn: 0, changed: 0, failed: 0 };
		const sentBy = new Map<string, number>();
		const note = (words: string, who: string, { what }: Forged) =>
			console.log(`${who} ${words}: ${what}`);
		const send = async (name: string, client: Client, forged: Forged) => {
			const answer = await client.request(forged.path, { ...forged.options, mayFail: true });
			found.sent += 1;
			sentBy.set(name, (sentBy.get(name) ?? 0) + 1);
			if (showsSecret(answer)) {
				found.shown += 1;
				note("saw it", name, forged);
			}
			if (answer.status >= 500) {
				found.failed += 1;
				note(`got ${answer.status}`, name, forged);
			}
			// A URL that names one of the victim's rows is refused.
			if (forged.isAboutOne && answer.status < 300 && !GATE.test(answer.text)) {
				found.letIn += 1;
				note(`got ${answer.status}`, name, forged);
			}
		};
		for (const [place, id] of victim.ids.entries()) {
			const { driver } = await factory.driver();
			const dice = diceOf(SEED, place);
			const places = await forgeEverywhere(victim, id, dice);
			const tried = places.filter(({ isQuery }) => !isShort || !isQuery || dice.once(QUERY_SHARE));
			for (const forged of isShort ? oneIn(3, tried, place) : tried)
				await send("another driver", driver, forged);
		}
		let intruders = await createIntruders(factory);
		for (const round of rounds(300)) {
			if (round % SAME_INTRUDERS === SAME_INTRUDERS - 1) intruders = await createIntruders(factory);
			const dice = diceOf(SEED, round);
			const { name, client, id } = dice.pick(intruders);
			await send(name, client, await forge(victim, id, dice));
			if (round % 100 === 99 && (await victim.snapshot()) !== before) break;
		}
		if ((await victim.snapshot()) !== before) found.changed += 1;
		console.log([...sentBy].map(([name, count]) => `${name} ${count}`).join(", "));

		// Their owner gets all of these with the same ids.
		for (const path of ["/mileage", "/requests", "/history", "/api/fund-requests"]) {
			const answer = await victim.client.get(path);
			expect([path, answer.status, showsSecret(answer)]).toEqual([path, 200, true]);
		}
		for (const path of [
			`/api/receipts/${victim.receiptId}`,
			`/history/payouts/${victim.payoutId}.pdf`,
		])
			expect([path, (await victim.client.get(path)).status]).toEqual([path, 200]);
		const [requestId = ""] = victim.known.request;
		const withdrawn = await victim.client.post("/requests", { intent: "withdraw", id: requestId });
		expect(withdrawn.status).toBe(303);
		expect(await victim.snapshot()).not.toBe(before);

		const tried = "requests that name another person's rows";
		report("forgery", [
			mustBeZero(tried, found.sent, "shown", found.shown),
			mustBeZero(tried, found.sent, "let in", found.letIn),
			mustBeZero(tried, found.sent, "changed something", found.changed),
			mustBeZero(tried, found.sent, "answers of 500 and more", found.failed),
		]);
	},
	TIMEOUT,
);
