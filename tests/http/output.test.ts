/**
 * Every text field is filled with every kind of injection and read wherever it is output: nothing
 * runs, and nothing escapes its context (`npm run torture -- output` also combines them).
 */
import { expect, it } from "vitest";
import { diceOf } from "../../lab/torture/dice.ts";
import { fieldsOf } from "../../lab/torture/output/fields.ts";
import {
	aliveInHtml,
	aliveInPdf,
	aliveInXml,
	INJECTIONS,
	type Injection,
	isFormula,
	MARK,
} from "../../lab/torture/output/injections.ts";
import { type Format, readPlaces } from "../../lab/torture/output/places.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const FIELDS = fieldsOf(fleet);
const FORMATS = ["HTML", "JSON", "CSV", "XLSX", "PDF", "email", "log"] as const;
/** How many injections are looked for together: a list shows only the latest fifty rows. */
const TOGETHER = isShort ? INJECTIONS.length : 6;
/** The short form fills each field with a third of the injections, taking turns. */
const ONE_OF = isShort ? 3 : 1;

/** Single injections first, then two combined in later rounds. */
function injectionsOf(round: number): readonly Injection[] {
	if (round === 0) return INJECTIONS;
	const dice = diceOf(SEED, round);
	return INJECTIONS.map((each) => {
		const other = dice.pick(INJECTIONS);
		const isRefused = each.isRefused ?? other.isRefused;
		const text = `${each.text}${other.text}`;
		return { kind: each.kind, text, ...(isRefused ? { isRefused } : {}) };
	});
}

it("would detect injected code", () => {
	const tag = '<td title="x">';
	for (const alive of ["<img src=x onerror=alert(1)>", `{{7*7}} 49${MARK}`])
		expect(aliveInHtml(`${tag}${alive}</td>`)).toHaveLength(1);
	expect(aliveInHtml('<a href="javascript:alert(1)">')).toHaveLength(1);
	expect(aliveInHtml(`${tag}&lt;img src=x onerror=alert(1)&gt; javascript:</td>`)).toEqual([]);
	expect(aliveInXml("<t>'onmouseover='alert(1)'<script>alert(1)</script></t>")).toEqual([]);
	expect(aliveInXml("<t></title><svg onload=alert(1)></t>")).toHaveLength(1);
	expect([`=1+1 ${MARK}`, `'=1+1 ${MARK}`, "-12.50"].map(isFormula)).toEqual([true, false, false]);
	expect(aliveInPdf(Buffer.from("<< /S /JavaScript >>"))).toEqual(["/JavaScript"]);
});

it(
	"never executes stored text, wherever it is output",
	async () => {
		const people = { ada: await fleet.as("ada"), dana: await fleet.as("dana") };
		const read = new Map<Format, { places: number; texts: number; alive: number }>(
			FORMATS.map((format) => [format, { places: 0, texts: 0, alive: 0 }]),
		);
		const found = { tried: 0, taken: 0, wronglyTaken: 0, toBeRefused: 0 };
		const taken = new Set<string>();
		const broken: string[] = [];
		let number = 0;
		const look = async () => {
			for (const { place, format, texts, alive } of await readPlaces(
				fleet,
				people.ada,
				people.dana,
			)) {
				const sums = read.get(format);
				if (!sums) continue;
				sums.places += 1;
				sums.texts += texts;
				sums.alive += alive.length;
				for (const each of alive) broken.push(`${place}: ${each.slice(0, 120)}`);
			}
		};
		for (const round of rounds(1)) {
			const injections = injectionsOf(round);
			for (const [position, { kind, text, isRefused }] of injections.entries()) {
				for (const [column, [name, enter]] of Object.entries(FIELDS).entries()) {
					if ((position + column) % ONE_OF > 0) continue;
					const { status } = await enter(`${text} ${MARK}${++number}`, people, number);
					found.tried += 1;
					const isTaken = status < 400;
					if (isTaken) {
						found.taken += 1;
						taken.add(name);
					}
					if (!isRefused) continue;
					found.toBeRefused += 1;
					if (!isTaken) continue;
					found.wronglyTaken += 1;
					broken.push(`${name} took ${kind} ${JSON.stringify(text)}`);
				}
				if (position % TOGETHER === TOGETHER - 1 && !isShort) await look();
			}
			await look();
			// A driver's hourly limit would run out, so drivers take turns.
			await fleet.sql("delete from mails");
			people.dana = await fleet.as(["omar", "lena", "dana"][round % 3] as "omar");
		}
		for (const each of broken.slice(0, 30)) console.log(each);
		console.log(
			`Of ${Object.keys(FIELDS).length} fields ${taken.size} took ${found.taken} of ${found.tried} texts`,
		);
		expect([...read].filter(([, { texts }]) => texts === 0)).toEqual([]);
		report("output", [
			mustBeZero(
				"controls and overrides",
				found.toBeRefused,
				"accepted by a field",
				found.wronglyTaken,
			),
			...FORMATS.map((format) => {
				const { places = 0, texts = 0, alive = 0 } = read.get(format) ?? {};
				return mustBeZero(`${format}: places read`, places, `active, of ${texts} texts`, alive);
			}),
		]);
	},
	TIMEOUT,
);
