/** Determines what importing a statement would do to the drivers' money, in bounded memory. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { AdminContext } from "../kernel/context.ts";
import type { DriverMatcher } from "./driver-matcher.server.ts";
import { findDownloads } from "./missing.server.ts";
import { MONEY_KINDS, NO_MONEY } from "./money.ts";
import {
	type ChangedMoney,
	dueCents,
	type MoneyPlan,
	MoneySums,
	type UnmatchedMoney,
} from "./money-plan.ts";
import { isKeyOfAmounts } from "./money-rows.ts";
import {
	fromList,
	type LiveMoney,
	type RecordedMoney,
	type StagedMoney,
	selectLiveMoney,
	selectMoneyOf,
	toList,
} from "./money-store.server.ts";
import type { LeftOut } from "./plan.ts";
import { keysAsRecorded } from "./row-order.ts";
import type { MoneyRow } from "./statement.ts";
import type { WaitingStatement } from "./waiting.server.ts";

/** Rows compared with the database per trip. */
const CHUNK = 5000;

/** Receives the rows that can be imported, chunk by chunk. */
export type MoneySink = (rows: readonly StagedMoney[]) => Promise<void>;

/** A row whose driver and days are known from the file. */
type Known = MoneyRow & {
	readonly whose: NonNullable<MoneyRow["whose"]> & {
		readonly key: string;
		readonly period: NonNullable<NonNullable<MoneyRow["whose"]>["period"]>;
	};
};

export class MoneyPlanner {
	readonly #sums = new MoneySums();
	readonly #changed: ChangedMoney[] = [];
	readonly #unmatched = new Map<string, UnmatchedMoney>();
	readonly #drivers = new Set<string>();
	readonly #keys = new Set<string>();
	readonly #imports = new Set<string>();
	/** New rows that may be recorded ones with other amounts. */
	readonly #doubtful: StagedMoney[] = [];
	#chunk: Known[] = [];
	#ready = 0;
	#before = 0;
	#isUnstated = false;
	#from: CalendarDate | undefined;
	#to: CalendarDate | undefined;

	constructor(
		private readonly admin: AdminContext,
		private readonly statement: WaitingStatement,
		private readonly matcher: DriverMatcher,
		private readonly isOutside: (date: CalendarDate) => boolean,
		private readonly sink: MoneySink | undefined,
	) {}

	async add(event: MoneyRow): Promise<void> {
		this.#sums.add(event);
		if (event.whose?.key) this.#keys.add(event.whose.key);
		if (!isKnown(event) || this.isOutside(event.whose.period.to)) return;
		if (this.#chunk.push(event) === CHUNK) await this.#settle();
	}

	/**
	 * What importing it would do; nothing for a file without money.
	 * @param leftOut rows of the file that aren't imported
	 */
	async end(leftOut: readonly LeftOut[]): Promise<MoneyPlan | undefined> {
		if (this.#chunk.length > 0) await this.#settle();
		if (this.#sums.rows > 0) await this.#settleMissing(leftOut);
		const { rows, proven, unproven, totals } = this.#sums;
		if (rows === 0) return undefined;
		const { platform, format, isByPeriod } = this.statement.facts;
		const [from, to] = [this.#from, this.#to];
		return {
			...{ rows, proven, unproven, totals, ready: this.#ready, before: this.#before },
			...{ changed: this.#changed, isUnstated: this.#isUnstated },
			unmatched: [...this.#unmatched.values()],
			extent:
				from && to
					? { platform, format, isByPeriod, from, to, driverIds: [...this.#drivers] }
					: undefined,
		};
	}

	async #settle(): Promise<void> {
		const rows = this.#chunk;
		this.#chunk = [];
		const { db } = this.admin;
		const { live, aliases, coded } = await db.batch({
			live: selectLiveMoney(
				db.build,
				rows.map(({ whose }) => whose.key),
			),
			...this.matcher.lookUp(rows.map(({ whose }) => whose)),
		});
		this.matcher.learn(aliases, coded);
		const recorded = new Map(live.map((each) => [each.key, each]));
		const keys = keysAsRecorded(
			rows,
			({ whose }) => whose.key,
			({ cents }) => toList(cents),
			(key) => recorded.get(key)?.amounts,
		);
		const staged = rows.flatMap((row, place) => {
			const key = keys[place] ?? row.whose.key;
			const keyed = { ...row, whose: { ...row.whose, key } };
			return this.#settleRow(keyed, recorded.get(key)) ?? [];
		});
		await this.#stage(staged);
	}

	async #stage(rows: readonly StagedMoney[]): Promise<void> {
		this.#ready += rows.length;
		if (this.sink && rows.length > 0) await this.sink(rows);
	}

	/**
	 * Recorded rows that the file lacks are corrected to zero, or stay as they are; then new rows of
	 * the same driver and days, which may be those rows with other amounts, aren't added.
	 */
	async #settleMissing(leftOut: readonly LeftOut[]): Promise<void> {
		const { admin, statement } = this;
		const { db } = admin;
		const kept = new Set<string>();
		const ids = await findDownloads(admin, statement, leftOut, "statement_money", this.#imports);
		for (const id of ids)
			for (let [after, isEnd] = ["", false]; !isEnd; ) {
				const { rows } = await db.batch({ rows: selectMoneyOf(db.build, id, after, CHUNK) });
				const missing = rows.filter(({ key }) => !this.#keys.has(key));
				for (const { driverId, from, to } of missing) kept.add(`${driverId} ${from} ${to}`);
				await this.#stage(missing.flatMap((row) => this.#settleLost(row)));
				after = rows.at(-1)?.key ?? "";
				isEnd = rows.length < CHUNK;
			}
		const added = this.#doubtful.filter(
			({ driverId, period: { from, to } }) => !kept.has(`${driverId} ${from} ${to}`),
		);
		for (let at = 0; at < added.length; at += CHUNK) await this.#stage(added.slice(at, at + CHUNK));
	}

	#settleLost({ key, driverId, row, from, to, proof, amounts }: RecordedMoney): StagedMoney[] {
		const recorded = fromList(amounts);
		for (const kind of MONEY_KINDS)
			if (recorded[kind] !== 0)
				this.#changed.push({ row: null, kind, recordedCents: recorded[kind], foundCents: 0 });
		if (this.statement.answers.changed !== "replace") return [];
		const period = { from, to };
		return [{ key, driverId, row, period, proof, cents: NO_MONEY, recorded: amounts }];
	}

	#settleRow(event: Known, before: LiveMoney | undefined): StagedMoney | undefined {
		const { row, cents, proof, whose } = event;
		const { key, period, platformId, name } = whose;
		const { identity, driver } = this.matcher.match(platformId, name);
		if (before) this.#imports.add(before.importId);
		if (!before && MONEY_KINDS.every((kind) => cents[kind] === 0)) return undefined;
		const found = { key, row, period, proof, cents };
		if (before?.amounts === toList(cents)) {
			// The same amounts that now add up replace those that didn't.
			if (proof !== "proven" || before.proof === "proven") {
				this.#before += 1;
				return undefined;
			}
			return { ...found, driverId: before.driverId, recorded: before.amounts };
		}
		if (before) {
			if (proof === "unstated") this.#isUnstated = true;
			const recorded = fromList(before.amounts);
			for (const kind of MONEY_KINDS)
				if (recorded[kind] !== cents[kind])
					this.#changed.push({
						...{ row, kind, recordedCents: recorded[kind], foundCents: cents[kind] },
					});
			if (this.statement.answers.changed !== "replace") return undefined;
			return { ...found, driverId: before.driverId, recorded: before.amounts };
		}
		if (proof === "unstated") this.#isUnstated = true;
		if (!driver) {
			const known = this.#unmatched.get(identity);
			const due = dueCents(event);
			if (known) {
				known.rows += 1;
				known.cents += due;
			} else this.#unmatched.set(identity, { identity, platformId, name, rows: 1, cents: due });
			return undefined;
		}
		this.#drivers.add(driver.id);
		if (!this.#from || period.from < this.#from) this.#from = period.from;
		if (!this.#to || period.to > this.#to) this.#to = period.to;
		const added = { ...found, driverId: driver.id, recorded: null };
		const isDoubtful = this.statement.answers.changed === "keep" && isKeyOfAmounts(key);
		if (isDoubtful) this.#doubtful.push(added);
		return isDoubtful ? undefined : added;
	}
}

const isKnown = (event: MoneyRow): event is Known =>
	event.whose !== null && event.whose.key !== null && event.whose.period !== null;
