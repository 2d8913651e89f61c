/** The fleet for testing reports, and how its administrator generates them. */
import { expect } from "vitest";
import { type CastName, idOf } from "./cast.ts";
import { currentTime } from "./clock.ts";
import { plusDays } from "./expected-reports.ts";
import { insertFee } from "./fees.ts";
import { daysAgo, midnight } from "./fleet-days.ts";
import { insertRequest } from "./requests.ts";
import type { Client } from "./worker.ts";

type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

const DRIVERS = ["dana", "omar", "lena", "ivan"] as const satisfies readonly CastName[];
const decided = { decided_at: 1, decided_by: idOf("ben") };

/**
 * Inserts seventy busy days of four drivers, one of whom has left, with rows at the very edges of
 * days, after deleting everything but people.
 */
export async function insertBusyFleet(sql: Sql): Promise<void> {
	/** Pseudorandom numbers, the same every time. */
	let seed = 20261121;
	const random = (most: number) => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed % most;
	};
	await sql("delete from mileage_logs");
	await sql("delete from uber_fees");
	await sql("delete from mails");
	await sql("delete from fund_requests");
	let made = 1000;
	for (let back = 0; back < 70; back++) {
		const day = daysAgo(back);
		for (const [position, driver] of DRIVERS.entries()) {
			made += 1;
			if (random(3) > 0)
				await sql(
					`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, voided_at, voided_by, notes)
						values (?, ?, ?, ?, ?, 'seed', ?, 'x', ?, ?, ?)`,
					`70000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
					idOf(driver),
					day,
					100_000 * position + 700 * (70 - back),
					100_000 * position + 700 * (70 - back) + 1 + random(600),
					midnight(day) + 20 * 3_600_000 + (back % 3) * 86_400_000 * 4,
					...(random(12) === 0 ? [1, idOf("ada")] : [null, null]),
					back % 5 ? null : `=SUM(A1) note ${made}`,
				);
			const type = ["gas", "gas", "gas", "maintenance", "other"][random(5)] ?? "gas";
			const moment = back % 2 ? midnight(day) : midnight(plusDays(day, 1)) - 1;
			if (random(2) === 0 && moment <= currentTime())
				await insertRequest(sql, made, driver, {
					type,
					amount_cents: 1 + random(40_000),
					created_at: moment,
					requested_on: day,
					description: `${type} number ${made}`,
					...(random(6) === 0 ? {} : { status: "approved", ...decided }),
				});
			if (random(2) === 0)
				await insertFee(sql, made, driver, day, {
					category: ["commission", "service_fee", "booking_fee", "other"][random(4)] ?? "other",
					amount_cents: 1 + random(20_000),
					reference_number: `UB-2026-${made}`,
					...(random(9) === 0 ? { deleted_at: 1, deleted_by: idOf("ada") } : {}),
				});
		}
	}
}

export type Download = {
	readonly status: number;
	readonly headers: Headers;
	readonly bytes: Uint8Array;
};

/** The ways for one person to generate a report, each returning the bytes. */
export function reportsClient(client: Client) {
	async function ask(...sent: Parameters<Client["request"]>): Promise<Download> {
		const { status, headers, raw } = await client.request(...sent);
		return { status, headers, bytes: raw };
	}
	const post = (path: string, body: string, type: string) =>
		ask(path, { method: "POST", headers: { "Content-Type": type }, body });
	return {
		post,
		/** The file behind a link. */
		file: (path: string) => ask(path),
		/** The screen after a refused form. */
		async screenAfter(path: string, fields: Record<string, string>): Promise<string> {
			const answer = await client.post(path, fields);
			expect(answer.status, answer.text.slice(0, 300)).toBe(303);
			const screen = await client.get(answer.headers.get("Location") ?? "");
			expect(screen.status).toBe(200);
			return screen.text;
		},
		/** The API with JSON. */
		call: (body: object) => post("/api/reports/generate", JSON.stringify(body), "application/json"),
		/** A form post, to a screen or to the API. */
		form: (path: string, fields: Record<string, string>) =>
			post(path, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded"),
	};
}
/** The API's error when it refuses. */
export const messageOf = ({ bytes }: Download) =>
	JSON.parse(new TextDecoder().decode(bytes)) as {
		message: string;
		fields?: Record<string, string[]>;
	};
