/**
 * The email provider fails before accepting an email, after accepting it, or slowly; the database
 * fails at each call of a delivery; the Worker is killed at each of those points. A provider that
 * knows idempotency keys accepts every email once, any other at most once, and an email that may
 * already have been accepted is held (`npm run torture -- faults` plays every point, the short form
 * some).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { diceOf } from "../../lab/torture/dice.ts";
import { type Call, Director, type Fault } from "../../lab/torture/faults/director.ts";
import { MailPlayer, type Trigger } from "../../lab/torture/faults/mail-play.ts";
import { MailProvider } from "../../lab/torture/faults/mail-provider.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { RowFactory } from "../../lab/torture/races/subjects.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { freePort } from "../../tools/free-port.ts";
import { openFleet } from "../support/worker.ts";

type Point = { readonly fault: Fault; readonly trigger: Trigger };
const EMAILS = 3;
/** Longer than the Worker waits for a provider. */
const TOO_SLOW = 11_000;

/** Every fault that an approval and its emails can meet. */
function pointsOf(calls: readonly Call[], knowsKeys: boolean): Point[] {
	const points: Point[] = [];
	for (let at = 0; at < EMAILS; at++)
		for (const way of ["before", "after", "hiccup", "lost", "slow", "kill", "die"] as const)
			for (const trigger of ["answer", "minute"] as const)
				points.push({ fault: { store: "mail", at, way }, trigger });
	if (knowsKeys) {
		// A response that can't be parsed.
		points.push({ fault: { store: "mail", at: 0, way: "inside" }, trigger: "answer" });
		if (!isShort)
			points.push({
				fault: { store: "mail", at: 0, way: "slow", wait: TOO_SLOW },
				trigger: "answer",
			});
	}
	for (const [at, { statements }] of calls.filter(({ store }) => store === "d1").entries()) {
		for (const way of ["before", "after", "hiccup", "lost", "slow", "kill", "die"] as const)
			points.push({ fault: { store: "d1", at, way }, trigger: "answer" });
		for (let before = 1; before <= statements; before++)
			points.push({
				fault: { store: "d1", at, way: "inside", statements: before },
				trigger: "answer",
			});
	}
	return points;
}

for (const provider of ["resend", "binding"] as const) {
	const knowsKeys = provider === "resend";
	const state = mkdtempSync(join(tmpdir(), "milepost-mail-faults-"));
	const director = new Director();
	const api = await MailProvider.open(director);
	const fleet = await openFleet({
		faults: director,
		state,
		port: await freePort(),
		vars: {
			MAIL_PROVIDER: provider,
			MAIL_FROM: "Milepost <fleet@milepost.test>",
			...(knowsKeys ? { MAIL_API_KEY: "secret-key", MAIL_API_URL: api.url } : {}),
		},
	});
	afterAll(() => {
		api.close();
		rmSync(state, { recursive: true, force: true });
	});

	it(
		knowsKeys
			? "sends each email exactly once through a provider that knows keys, whatever fails"
			: "sends each email at most once through any other provider, and holds it when the outcome is unknown",
		async () => {
			const factory = new RowFactory(fleet, await fleet.as("ada"), await fleet.as("ben"));
			const player = new MailPlayer(fleet, factory, director, knowsKeys);
			const calls = await player.clean();
			expect(calls.filter(({ store }) => store === "mail").length, "emails sent").toBe(EMAILS);
			const all = diceOf(SEED, knowsKeys ? 1 : 2).shuffle(pointsOf(calls, knowsKeys));
			for (const round of rounds(12)) {
				const point = all[round];
				if (!point) break;
				await player.play(point.fault, point.trigger);
			}
			player.printNotes();
			console.log(`${calls.length} calls, ${all.length} points, ${player.held} emails held`);
			const { found, kills, plays } = player;
			const tried = `emails through ${provider} with a fault, ${kills} of them kills`;
			report("faults", [
				mustBeZero(tried, plays, "lost", found.lost),
				mustBeZero(tried, plays, "sent twice", found.doubled),
				mustBeZero(tried, plays, "given a wrong status", found["called wrongly"]),
				mustBeZero(tried, plays, "approvals lost", found["changes lost"]),
			]);
			if (knowsKeys) expect(player.held).toBe(0);
		},
		TIMEOUT,
	);
}
