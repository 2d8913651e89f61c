/**
 * `npm run bench -- tokens`: what a call with a token costs compared with a session cookie, in
 * alternation on one Worker. The trips and rows are exact, the ratio holds anywhere.
 */
import { idOf } from "../../tests/support/cast.ts";
import { insertToken } from "../../tests/support/tokens.ts";
import { costMeter } from "../measure.ts";
import { compare, type Measured } from "./cpu.ts";
import { openSite } from "./site.ts";
import type { Figure } from "./table.ts";

const PATHS = ["/api/fund-requests?limit=20", "/api/payouts?limit=20"];
const BUDGET = 1.1;

/** Needs Linux's /proc. */
export async function benchTokens(): Promise<readonly Figure[]> {
	const site = await openSite({ hasFleet: true });
	const cost = costMeter();
	const cookie = await site.signIn("ada");
	const asker = (path: string, headers: Readonly<Record<string, string>>): Measured => ({
		cost,
		ask: () => fetch(site.origin + path, { headers }),
	});
	const figures: Figure[] = [];
	for (const path of PATHS) {
		// Its own token, since each may be used 600 times a minute.
		const token = await insertToken(
			(query, ...values) =>
				site.db
					.prepare(query)
					.bind(...values)
					.run(),
			idOf("ada"),
			"read",
		);
		const [session, script] = [
			asker(path, { Cookie: cookie }),
			asker(path, { Authorization: `Bearer ${token}` }),
		];
		for (const [who, { ask }] of [
			["a session", session],
			["a token", script],
		] as const) {
			// A token's use is noted once an hour, in a separate trip.
			await (await ask()).arrayBuffer();
			const answer = await ask();
			const [, trips = "", statements = "", rows = ""] =
				/(\d+) trips?, (\d+) statements?, (\d+) rows?/.exec(
					answer.headers.get("Server-Timing") ?? "",
				) ?? [];
			if (!answer.ok || !trips) throw new Error(`${path} answered ${answer.status} to ${who}`);
			await answer.arrayBuffer();
			figures.push(
				{ what: `${path}, ${who}`, figure: Number(trips), unit: "trips", budget: 1 },
				{ what: `${path}, ${who}`, figure: Number(statements), unit: "statements" },
				{ what: `${path}, ${who}`, figure: Number(rows), unit: "rows" },
			);
		}
		const { ratio } = await compare(session, script);
		figures.push({
			what: `${path}, a token beside a session`,
			figure: ratio,
			unit: "x",
			budget: BUDGET,
		});
		console.log(`${path}: ${ratio.toFixed(2)}x of ${BUDGET}x`);
	}
	await site.worker.dispose();
	return figures;
}
