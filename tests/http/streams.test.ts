/**
 * Long lists are sent page by page: what has been read leaves before the next page is asked for, so
 * that no list is ever in memory as a whole.
 */
import { beforeAll, expect, it } from "vitest";
import { addDays, startOfDay } from "../../app/values/calendar-date.ts";
import { Director } from "../../lab/torture/faults/director.ts";
import { freePort } from "../../tools/free-port.ts";
import { seedFleet } from "../../tools/seed-fleet.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { type Client, openFleet } from "../support/worker.ts";

/** Holds back a request's second call to the database until it is opened. */
class Gate extends Director {
	open: () => void = () => undefined;
	#opened = Promise.resolve();

	close(): void {
		this.expect();
		this.#opened = new Promise((resolve) => {
			this.open = resolve;
		});
	}

	override async order(call: Parameters<Director["order"]>[0]) {
		const order = await super.order(call);
		if (this.calls.length > 1) await this.#opened;
		return order;
	}
}

const gate = new Gate();
const fleet = await openFleet({ faults: gate, port: await freePort() });
let ada: Client;

beforeAll(async () => {
	const until = addDays(daysAgo(0), -1);
	await seedFleet(fleet.database, {
		logs: 30_000,
		drivers: 2600,
		days: 50,
		until,
		untilStarts: startOfDay(ZONE, until),
		adminId: idOf("ada"),
	});
	ada = await fleet.as("ada");
});

/** How many rows a JSON array has; undefined if the text ends within a row. */
function rowsOf(text: string): number | undefined {
	try {
		return JSON.parse(text).length;
	} catch {
		return undefined;
	}
}

it.each([
	["/api/mileage", 2500],
	["/api/fund-requests", 2500],
	["/api/drivers", 2500],
	["/api/drivers/all", 2500],
	["/api/analytics/driver-efficiency", 250],
])("%s sends its first page of %i rows before it reads the second", async (path, rows) => {
	// The first call reads the session along with the first page.
	gate.close();
	const answer = await fetch(fleet.origin + path, {
		headers: { Cookie: ada.cookie, "Accept-Encoding": "identity" },
		signal: AbortSignal.timeout(30_000),
	});
	expect(answer.status).toBe(200);
	const decoder = new TextDecoder();
	let text = "";
	let first = 0;
	const reader = answer.body?.getReader() ?? expect.unreachable();
	for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
		text += decoder.decode(piece.value, { stream: true });
		if (first === rows || !text.endsWith("}")) continue;
		first = rowsOf(`${text}]`) ?? first;
		if (first === rows) gate.open();
	}
	expect(first).toBe(rows);
	expect(JSON.parse(text).length).toBeGreaterThan(rows);
});
