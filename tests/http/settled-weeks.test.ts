/**
 * Random histories of a fleet's weeks: agreements, charges, trips, statements of both platforms in
 * every language that they are known in, corrections, undone imports, drafts, publishing, payouts
 * and voids. After each step every settlement is what plain arithmetic says, to the cent, and what
 * was published is what it was (`npm run torture -- weeks` plays more).
 */
import { expect, it } from "vitest";
import { type Dice, diceOf } from "../../lab/torture/dice.ts";
import { report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import type { Driver } from "../books/files.ts";
import {
	addDays,
	type Charge,
	decimal,
	Fleet,
	type Line,
	PLATFORMS,
	type Settled,
	writeWeek,
} from "../books/weeks.ts";
import { insertDriver } from "../support/drivers.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { readPdf } from "../support/report-files.ts";
import { insertRow } from "../support/rows.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const STEPS = 20;
/** Past weeks; the current one is added. */
const WEEKS = 4;

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const today = daysAgo(0);
const thisMonday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
const weeks = Array.from({ length: WEEKS + 1 }, (_, week) =>
	addDays(thisMonday, 7 * (week - WEEKS)),
);
const periodOf = (week: string) => ({ from: week, to: addDays(week, 6), next: addDays(week, 7) });

const drivers: Driver[] = [];
for (const number of [0, 1])
	drivers.push({
		id: await insertDriver((query, ...values) => sql(query, ...values), {
			driver_number: 7100 + number,
			first_name: `Weekly${number}`,
			last_name: "Books",
		}),
		platformId: `b00c0001-0000-4000-8000-${String(number).padStart(12, "0")}`,
		first: `Weekly${number}`,
		last: "Books",
	});
const matches = JSON.stringify(
	Object.fromEntries(drivers.map(({ platformId, id }) => [platformId, id])),
);
const idOf = (driver: number) => drivers[driver]?.id ?? "";
const cents = (amount: string) => Math.round(Number(amount) * 100);

type Shown = {
	readonly id: string;
	readonly driverId: string;
	readonly week: { readonly from: string };
	readonly status: string;
	readonly carriedIn: string;
	readonly lines: readonly {
		readonly kind: string;
		readonly platform: string | null;
		readonly amount: string;
	}[];
	readonly result: string;
	readonly carriedOut: string;
	readonly payable: string;
	readonly payout: { readonly id: string } | null;
};
async function shown(): Promise<readonly Shown[]> {
	const { text } = await ada.call("GET", "/api/settlements");
	return (JSON.parse(text) as readonly Shown[]).filter(({ status }) => status !== "void");
}

async function emptyBooks(): Promise<void> {
	await sql("update uber_fees set replaces_id = null");
	for (const table of [
		...["payout_requests", "payout_settlements", "settlement_lines", "settlements", "payouts"],
		...["payout_totals", "settlement_marks", "agreements", "charges", "mileage_logs"],
		...["statement_lines", "statement_money", "uber_fees", "fee_imports", "statement_files"],
		"mails",
	])
		await sql(`delete from ${table}`);
}

const inOrder = (lines: readonly Line[]) => lines.map((line) => line.join(" ")).sort();
/** A settlement as the product shows it and as it must be. */
const asShown = (each: Shown) => ({
	status: each.status,
	carriedIn: cents(each.carriedIn),
	lines: inOrder(each.lines.map(({ kind, platform, amount }) => [kind, platform, cents(amount)])),
	result: cents(each.result),
	carriedOut: cents(each.carriedOut),
	payable: cents(each.payable),
	payout: each.payout?.id,
});
function expected(model: Fleet, { driver, week, status, published, payout }: Settled) {
	const { lines, carriedIn, result } = published ?? model.work(driver, week);
	return {
		...{ status, carriedIn, lines: inOrder(lines), result, payout },
		carriedOut: Math.min(0, result),
		payable: Math.max(0, result),
	};
}

/** One fleet's history, and the model of it. */
class History {
	readonly model = new Fleet();
	readonly wrong: string[] = [];
	readonly found: Record<string, number> = {};
	#trips = 0;
	#payouts = new Map<string, Settled[]>();

	constructor(
		readonly dice: Dice,
		readonly number: number,
	) {}

	#count(what: string): void {
		this.found[what] = (this.found[what] ?? 0) + 1;
	}
	#expect(what: string, status: number, right: readonly number[], more: unknown): boolean {
		if (!right.includes(status))
			this.wrong.push(`${what}: ${status}, not ${right} ${JSON.stringify(more)}`);
		return right.includes(status);
	}
	#driver = () => this.dice.below(drivers.length);

	/** @param driver absent for any */
	async agree(driver = this.#driver(), from?: string): Promise<void> {
		const { dice } = this;
		const hundredths = () => dice.pick([10_000, 6000, 5000, 3333, 7250, 0]);
		const isPaidByMile = dice.once(2);
		const hasThreshold = isPaidByMile && dice.once(2);
		const terms = {
			from: from ?? dice.pick(weeks),
			base: dice.pick(["net", "gross"] as const),
			...{ fares: hundredths(), tips: hundredths(), promotions: hundredths() },
			fleet: dice.pick([0, 0, 800, 1250]),
			tollsTo: dice.pick(["driver", "fleet"] as const),
			rent: dice.pick([0, 10_000, 28_571]),
			fee: dice.pick([0, 0, 2_505]),
			mills: isPaidByMile ? dice.pick([725, 550, 5]) : 0,
			threshold: hasThreshold ? 1 + dice.below(400) : undefined,
			beyond: hasThreshold ? dice.pick([250, 0]) : 0,
			yearStart: dice.pick(["01-01", "04-06"] as const),
		};
		const answer = await ada.call("POST", "/api/agreements", {
			driverId: idOf(driver),
			...{ from: terms.from, base: terms.base, tollsTo: terms.tollsTo },
			...{ faresPercent: terms.fares / 100, tipsPercent: terms.tips / 100 },
			...{ promotionsPercent: terms.promotions / 100, fleetPercent: terms.fleet / 100 },
			...{ weeklyRent: decimal(terms.rent), weeklyFee: decimal(terms.fee) },
			perMileMills: terms.mills,
			...(hasThreshold
				? {
						thresholdMiles: terms.threshold,
						thereafterMills: terms.beyond,
						taxYearStart: terms.yearStart,
					}
				: {}),
		});
		if (this.#expect("agreement", answer.status, [201], answer.text))
			this.model.agreements.push({ driver, terms });
	}

	async charge(): Promise<void> {
		const { dice, model } = this;
		const driver = this.#driver();
		const week = dice.pick(weeks.slice(0, -1));
		const [amount, instalments] = [1 + dice.below(40_000), dice.pick([1, 1, 3, 7])];
		const isFor = dice.once(4);
		const day = addDays(week, dice.below(7));
		const kind = dice.pick(["toll", "damage", "fuel_card", "bonus"]);
		const answer = await ada.call("POST", "/api/charges", {
			...{ driverId: idOf(driver), kind: kind === "fuel_card" ? "fine" : kind, date: day },
			...{ amount: decimal(amount), direction: isFor ? "for" : "against", instalments },
		});
		// Cents must be enough for every instalment.
		if (amount < instalments) return;
		if (!this.#expect("charge", answer.status, [201], answer.text)) return;
		const { id } = JSON.parse(answer.text) as { id: string };
		model.charges.set(id, { id, driver, day, cents: isFor ? amount : -amount, instalments });
	}

	async takeBack(): Promise<void> {
		const { dice, model } = this;
		if (model.charges.size === 0) return;
		const charge: Charge = dice.pick([...model.charges.values()]);
		const { status } = await ada.call("DELETE", `/api/charges/${charge.id}`);
		const isSettled = model.isSettled(charge);
		// A week that was published before the charge was added has no instalment of it.
		if (status === 409 && isSettled) return this.#count("refused");
		if (this.#expect("charge taken back", status, isSettled ? [204, 409] : [204], charge))
			model.charges.delete(charge.id);
	}

	async drive(): Promise<void> {
		const { dice, model } = this;
		if (model.trips.size > 0 && dice.once(4)) {
			const id = dice.pick([...model.trips.keys()]);
			await sql("update mileage_logs set voided_at = 1, voided_by = driver_id where id = ?", id);
			model.trips.delete(id);
			return;
		}
		const driver = this.#driver();
		this.#trips += 1;
		const id = `b00c0002-0000-4000-8000-${String(1000 * this.number + this.#trips).padStart(12, "0")}`;
		const [day, miles] = [
			addDays(dice.pick(weeks.slice(0, -1)), dice.below(7)),
			1 + dice.below(300),
		];
		const personal = dice.once(3) ? dice.below(miles + 1) : 0;
		const start = 1000 * this.#trips;
		await insertRow((query, ...values) => sql(query, ...values), "mileage_logs", {
			...{
				id,
				driver_id: idOf(driver),
				driven_on: day,
				start_miles: start,
				end_miles: start + miles,
			},
			...{ personal_miles: personal, source: "form", created_at: 1, payload_hash: "x" },
		});
		model.trips.set(id, { driver, day, miles: miles - personal });
	}

	async state(): Promise<void> {
		const { dice, model } = this;
		const platform = dice.pick(PLATFORMS);
		const week = dice.pick(weeks.slice(0, -1));
		const { file, earned } = writeWeek(platform, periodOf(week), drivers, dice);
		const fields = { mode: "all", drivers: matches, changed: "replace", overlap: "yes" };
		const answer = await callStatements(ada, fields, file, true);
		if (!this.#expect(`statement ${file.name}`, answer.status, [201], answer.text.slice(0, 1500)))
			return;
		const key = `${platform} ${week}`;
		const before = model.imports.get(key) ?? [];
		if (before.length > 0) this.#count("corrected");
		model.imports.set(key, [...before, { id: answer.body.importId ?? "", earned }]);
	}

	async undo(): Promise<void> {
		const { dice, model } = this;
		const kept = [...model.imports].filter(([, imports]) => imports.length > 0);
		if (kept.length === 0) return;
		const [key, imports] = dice.pick(kept);
		const week = key.split(" ")[1] ?? "";
		const id = imports.at(-1)?.id ?? "";
		const rests = model.live().filter((each) => each.week === week && each.published);
		const { status } = await ada.post(
			"/uber-fees/import",
			{ intent: "undo", id },
			{ mayFail: true },
		);
		if (status === 409 && rests.length > 0) return this.#count("refused");
		if (!this.#expect("undo", status, [303], { key })) return;
		this.#count("undone");
		imports.pop();
	}

	async draft(): Promise<void> {
		const { model, dice } = this;
		const week = dice.pick(dice.once(6) ? weeks : weeks.slice(0, -1));
		const due = drivers
			.map((_, driver) => driver)
			.filter(
				(driver) =>
					model.isDue(driver, week) && !model.live(driver).some((each) => each.week === week),
			);
		const day = addDays(week, week === thisMonday ? 0 : dice.below(7));
		const answer = await ada.call("POST", "/api/settlements", { week: day });
		if (!this.#expect("draft", answer.status, [due.length > 0 ? 201 : 200], { week, due })) return;
		for (const row of JSON.parse(answer.text) as readonly Shown[]) {
			if (model.settlements.has(row.id) || row.status === "void") continue;
			const driver = drivers.findIndex(({ id }) => id === row.driverId);
			if (!due.includes(driver))
				this.wrong.push(`drafted for ${driver}, who has nothing in ${week}`);
			model.settlements.set(row.id, { id: row.id, driver, week, status: "draft" });
		}
	}

	async publish(): Promise<void> {
		const drafts = this.model.live().filter(({ status }) => status === "draft");
		for (const settled of this.dice.shuffle(drafts).slice(0, 3)) await this.#publish(settled);
	}

	async #publish(settled: Settled): Promise<void> {
		const { model, dice } = this;
		const { result } = model.work(settled.driver, settled.week);
		const isStale = dice.once(8);
		const body = { status: "published", result: decimal(result + (isStale ? 1 : 0)) };
		const answer = await ada.call("PUT", `/api/settlements/${settled.id}`, body);
		const mayBe = !isStale && model.mayPublish(settled, today);
		if (!this.#expect("publish", answer.status, [mayBe ? 200 : 409], answer.text)) return;
		if (!mayBe) return this.#count("refused");
		model.publish(settled);
		this.#count("published");
	}

	async void(): Promise<void> {
		const { model, dice } = this;
		const live = model.live();
		if (live.length === 0) return;
		const settled = dice.pick(live);
		const answer = await ada.call("PUT", `/api/settlements/${settled.id}`, { status: "void" });
		const mayBe = model.mayVoid(settled);
		if (!this.#expect("void", answer.status, [mayBe ? 200 : 409], answer.text)) return;
		if (!mayBe) return this.#count("refused");
		model.void(settled);
		this.#count("voided");
	}

	async pay(): Promise<void> {
		const { model, dice } = this;
		const [open] = this.#payouts.keys();
		if (open !== undefined) {
			const isPaid = dice.once(2);
			const change = isPaid ? { status: "paid", paidOn: today } : { status: "cancelled" };
			const answer = await ada.call("PUT", `/api/payouts/${open}`, change);
			if (!this.#expect("payout", answer.status, [200], answer.text)) return;
			for (const each of this.#payouts.get(open) ?? []) {
				if (isPaid) each.status = "paid";
				else delete each.payout;
			}
			this.#payouts.delete(open);
			if (isPaid) this.#count("paid");
			return;
		}
		const due = model.payable();
		const answer = await ada.call("POST", "/api/payouts", { all: true });
		if (due.length === 0)
			return void this.#expect("nothing to pay", answer.status, [409], answer.text);
		if (!this.#expect("payout", answer.status, [201], answer.text)) return;
		const { id, total } = JSON.parse(answer.text) as { id: string; total: string };
		const owed = due.reduce((so, { published }) => so + (published?.result ?? 0), 0);
		if (cents(total) !== owed) this.wrong.push(`a payout of ${total} for ${owed} cents`);
		for (const each of due) each.payout = id;
		this.#payouts.set(id, due);
		if (dice.once(2)) await this.pay();
	}

	/** Whether everything is as the model has it. */
	async check(after: string): Promise<void> {
		const rows = await shown();
		const live = this.model.live();
		const say = (what: string) => this.wrong.push(`after ${after}: ${what}`);
		if (rows.length !== live.length) say(`${rows.length} settlements, not ${live.length}`);
		for (const row of rows) {
			const settled = this.model.settlements.get(row.id);
			if (!settled) continue;
			const [is, must] = [asShown(row), expected(this.model, settled)];
			if (JSON.stringify(is) !== JSON.stringify({ ...is, ...must }))
				say(
					`${settled.driver} ${settled.week} is ${JSON.stringify(is)}, not ${JSON.stringify(must)}`,
				);
		}
		// What was settled is paid, to be paid, or carried.
		for (const driver of drivers.keys()) {
			const own = live.filter((each) => each.driver === driver && each.published);
			const byId = new Map(rows.map((row) => [row.id, row]));
			const sumOf = (amounts: readonly number[]) => amounts.reduce((so, each) => so + each, 0);
			const settled = sumOf(
				own.flatMap(({ id }) => (byId.get(id)?.lines ?? []).map(({ amount }) => cents(amount))),
			);
			const payable = sumOf(own.map(({ id }) => cents(byId.get(id)?.payable ?? "0")));
			const carried = sumOf(
				own
					.filter(({ carriedBy }) => carriedBy === undefined)
					.map(({ id }) => cents(byId.get(id)?.carriedOut ?? "0")),
			);
			if (settled !== payable + carried)
				say(`${settled} settled, ${payable} payable, ${carried} carried`);
		}
	}

	/** A published week's PDF has every amount of it. */
	async print(): Promise<void> {
		const settled = this.model.live().find(({ published }) => published);
		if (!settled) return;
		const { raw: bytes, status } = await ada.get(`/settlements/${settled.id}.pdf`);
		if (!this.#expect("PDF", status, [200], settled)) return;
		const { text } = await readPdf(bytes);
		for (const amount of [
			...(settled.published?.lines ?? []).map((line) => line[2]),
			settled.published?.result ?? 0,
		]) {
			const written = Math.abs(amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
			if (!text.includes(written)) this.wrong.push(`the PDF of ${settled.id} lacks ${written}`);
		}
		this.#count("printed");
	}
}

/** What happens, as often as it is named. */
const MOVES = [
	...["agree", "charge", "takeBack", "drive", "state", "state", "undo"],
	...["draft", "draft", "draft", "publish", "publish", "void", "pay", "pay"],
] as const satisfies readonly (keyof History)[];

it(
	"every week is what plain arithmetic says, and what was published never moves",
	async () => {
		const counts: Record<string, number> = {};
		const wrong: string[] = [];
		let histories = 0;
		for (const round of rounds(100, 50)) {
			histories += 1;
			await emptyBooks();
			const history = new History(diceOf(SEED, round), round);
			const told: string[] = [];
			// Sometimes money comes before there is an agreement.
			for (const driver of drivers.keys())
				if (!history.dice.once(4)) await history.agree(driver, weeks[0]);
			for (let sent = 0; sent < 3; sent++) await history.state();
			for (let step = 0; step < STEPS && history.wrong.length === 0; step++) {
				const move = history.dice.pick(MOVES);
				told.push(move);
				await history[move]();
				if (history.dice.once(2)) await history.check(told.slice(-2).join(", "));
			}
			await history.check("the end");
			await history.print();
			for (const [what, count] of Object.entries(history.found))
				counts[what] = (counts[what] ?? 0) + count;
			for (const each of history.wrong) wrong.push(`history ${round}, ${told.join(" ")}: ${each}`);
		}
		for (const each of wrong.slice(0, 10)) console.log(each);
		console.log(JSON.stringify(counts));
		report("weeks", [
			mustBeZero("histories", histories, "differences", wrong.length),
			mustBeZero("histories", histories, "errors", fleet.takeErrors().length),
		]);
		const seen = ["published", "voided", "corrected", "undone", "refused", "printed"];
		// Few are paid in a few histories.
		for (const what of histories > 10 ? [...seen, "paid"] : seen)
			expect(counts[what] ?? 0, what).toBeGreaterThan(0);
	},
	// Fifty histories, where other parts play a tenth of theirs.
	TIMEOUT,
);
