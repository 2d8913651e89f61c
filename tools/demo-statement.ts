/**
 * Uber's statement in docs/samples, of three of the demo fleet's drivers, moved to another week, so
 * that there is always one more to import.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addDays, daysBetween, parseCalendarDate } from "../app/values/calendar-date.ts";
import type { Period } from "../app/values/period.ts";

/** The first day of the sample's week. The demo fleet's own statements leave it to the sample. */
export const SAMPLE_FROM = parseCalendarDate("2026-11-02");

/** The columns of a transaction's own ids; those of drivers stay as they are. */
const OWN_IDS = new Set([0, 4]);
const DAY = /\b\d{4}-\d{2}-\d{2}(?= \d{2}:)/g;
const UUID = /^[\da-f]{8}-/;

/** An id that belongs to that week, so that each week's file can be imported. */
const ownId = (id: string, week: string) =>
	createHash("sha256").update(`${week} ${id}`).digest("hex").slice(0, 8) + id.slice(8);

export type Statement = { readonly name: string; readonly text: string };

/** @param week a whole week, Monday to Sunday */
export function demoStatement({ from, to }: Period): Statement {
	const folder = resolve("docs", "samples");
	const [sample = ""] = readdirSync(folder);
	const text = readFileSync(resolve(folder, sample), "utf8");
	const days = daysBetween(SAMPLE_FROM, from);
	const digits = (day: string) => day.replaceAll("-", "");
	const name = `${digits(from)}-${digits(addDays(to, 1))}${sample.slice(17)}`;
	if (days === 0) return { name, text };
	const [header = "", ...rows] = text.split("\n");
	const moved = rows.map((row) =>
		row
			.split(",")
			.map((cell, column) => (OWN_IDS.has(column) && UUID.test(cell) ? ownId(cell, from) : cell))
			.join(",")
			.replace(DAY, (day) => addDays(parseCalendarDate(day), days)),
	);
	return { name, text: [header, ...moved].join("\n") };
}
