/**
 * Drivers inserted directly into a test's database, and the Driver Management screen as people read
 * it.
 */

import { currentTime } from "./clock.ts";
import type { Answer } from "./worker.ts";

type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

let driverCount = 0;
/**
 * Inserts an approved driver with unique values. Drivers inserted later also applied later.
 * @returns the driver's id
 */
export async function insertDriver(
	sql: Sql,
	more: Record<string, string | number | null> = {},
): Promise<string> {
	const id = crypto.randomUUID();
	const row = {
		id,
		role: "driver",
		first_name: "Sam",
		last_name: `Stranger${++driverCount}`,
		email: `sam${driverCount}@milepost.test`,
		approval_status: "approved",
		is_active: 1,
		created_at: currentTime(),
		applied_at: currentTime() + driverCount,
		...more,
	};
	await sql(
		`insert into users (${Object.keys(row).join(", ")}) values (${Object.keys(row)
			.map(() => "?")
			.join(", ")})`,
		...Object.values(row),
	);
	return id;
}

/** The visible text: tags removed, whitespace collapsed. */
export const textOf = (html: string) =>
	html
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("&quot;", '"')
		.replaceAll("&amp;", "&")
		.replace(/\s+/g, " ");
/** The section of the page with this heading. */
export const sectionOf = (page: Answer, title: string) =>
	page.text.split("<section").find((part) => new RegExp(`<h2[^>]*>${title}</h2>`).test(part)) ?? "";
