/** Fleets for testing Mileage Reports & Analytics, and its page as people read it. */
import { type CastName, idOf } from "./cast.ts";
import { firstDayOf } from "./expected-mileage-reports.ts";
import { daysAgo, midnight } from "./fleet-days.ts";
import { insertLog } from "./mileage.ts";
import { insertRequest } from "./requests.ts";

type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

/** The prefix of ids inserted by `insertManyDrivers`. */
export const MANY = "70000000-0000-4000-8000-";
export const decided = (status: string) => ({ status, decided_at: 1, decided_by: idOf("ben") });
export const voided = { voided_at: 1, voided_by: idOf("dana") };

/**
 * Trips and requests on both sides of every boundary, of every status and type, each with a
 * different amount.
 */
export async function insertEdgeRows(sql: Sql): Promise<void> {
	let number = 0;
	const people = ["dana", "omar", "lena", "ivan"] as const satisfies readonly CastName[];
	for (const range of ["week", "month", "quarter"])
		for (const [position, owner] of people.entries()) {
			const first = firstDayOf(range);
			const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
			for (const day of [before, first]) {
				number += 1;
				if (owner !== "lena" || range === "quarter")
					await insertLog(sql, number, owner, day, 100 + number);
			}
			for (const created_at of [midnight(first) - 1, midnight(first)]) {
				number += 1;
				await insertRequest(sql, number, owner, {
					...decided("approved"),
					created_at,
					amount_cents: 8000 + 5000 * position + number,
				});
			}
		}
	for (const [day, more] of [
		[daysAgo(0), {}],
		[daysAgo(-1), {}],
		[daysAgo(1), voided],
	] as const) {
		number += 1;
		await insertLog(sql, number, "dana", day, 300 + number, more);
	}
	const end = midnight(daysAgo(-1));
	for (const [created_at, more] of [
		[end - 1, decided("approved")],
		[end, decided("approved")],
		[end - 2, decided("rejected")],
		[end - 3, { status: "withdrawn", withdrawn_at: 1 }],
		[end - 4, {}],
		[end - 5, { ...decided("approved"), type: "maintenance" }],
		[end - 6, { ...decided("approved"), type: "other" }],
	] as const) {
		number += 1;
		await insertRequest(sql, number, "omar", {
			created_at,
			amount_cents: 10_000 * number,
			...more,
		});
	}
}

/** Inserts more drivers, each with a trip and some fuel. */
export async function insertManyDrivers(sql: Sql, count: number): Promise<void> {
	await sql(`insert into users (id, role, first_name, last_name, approval_status, created_at, approved_at, driver_number)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('${MANY}%012d', i), 'driver', 'Many', printf('Of%04d', i), 'approved', 1, 1, 1000 + i from n`);
	await sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('42000000-0000-4000-8000-%012d', i), printf('${MANY}%012d', i), '${daysAgo(2)}', 0, 100 + i % 7, 'seed', 1, 'x' from n`);
	await sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash, decided_at, decided_by)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('32000000-0000-4000-8000-%012d', i), 1000 + i, printf('${MANY}%012d', i), 'gas', 5000 + i * 90, 'x', 'approved', 'seed', ${midnight(daysAgo(3))}, '${daysAgo(3)}', 'x', 1, '${idOf("ada")}' from n`);
}

const decode = (text: string) =>
	text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&lt;", "<");
/** The visible text, its pieces separated by bars. */
export const plain = (html: string) =>
	decode(
		html
			.replace(/<[^>]+>/g, "|")
			.replace(/\|+/g, "|")
			.replace(/^\||\|$/g, ""),
	);
/** A table's cells as text, row by row. */
export const table = (html: string, caption: string) => {
	const found =
		new RegExp(`<caption[^>]*>${caption}[^<]*</caption>([\\s\\S]*?)</table>`).exec(html)?.[1] ?? "";
	const rows = found.split("<tbody")[1]?.match(/<tr[\s\S]*?<\/tr>/g) ?? [];
	return rows.map((row) =>
		[...row.matchAll(/<t[hd]\b[^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)),
	);
};
/** The stat cards: label and figure. */
export const cards = (html: string) =>
	Object.fromEntries(
		[...html.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*><span[^>]*>([^<]*)<\/span>/g)].map(
			([, label = "", value]) => [label, value],
		),
	);
/**
 * The URL of the first link with this text.
 * @param label text that precedes it
 */
export const linkTo = (html: string, words: string, label = "") =>
	decode(
		new RegExp(`${label}[\\s\\S]*?href="([^"]+)"[^>]*>${words}<`).exec(
			label ? html.slice(html.indexOf(label)) : html,
		)?.[1] ?? "",
	);
/** The URL of the next page of one of the two lists, empty on the last page. */
export const nextOf = (html: string, what: "drivers" | "entries") => {
	const nav =
		new RegExp(`<nav aria-label="${what} pagination"[\\s\\S]*?</nav>`, "i").exec(html)?.[0] ?? "";
	return decode(/href="([^"#]+)#\w+"[^>]*>Next page</.exec(nav)?.[1] ?? "");
};
