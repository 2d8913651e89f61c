/**
 * How weeks are settled, in plain arithmetic over what was agreed, charged, driven and stated: written
 * from the rules alone, so that it can say whether the product's figures are right.
 */
import type { Dice } from "../../lab/torture/dice.ts";
import type { Driver, Period, Written } from "./files.ts";

export const PLATFORMS = ["uber", "bolt"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A driver's week at a platform, in cents: what comes in is positive, what goes out too. */
export type Earned = {
	readonly fare: number;
	readonly fee: number;
	readonly tip: number;
	readonly promotion: number;
	readonly toll: number;
	readonly cash: number;
	readonly transfer: number;
	/** Whether the file's own total is another one, so that the row counts nowhere. */
	readonly isWrong: boolean;
};

export type Terms = {
	readonly from: string;
	readonly base: "net" | "gross";
	/** Hundredths of a percent. */
	readonly fares: number;
	readonly tips: number;
	readonly promotions: number;
	readonly fleet: number;
	readonly tollsTo: "driver" | "fleet";
	/** Cents a week. */
	readonly rent: number;
	readonly fee: number;
	/** Tenths of a cent for a mile; beyond the threshold another rate. */
	readonly mills: number;
	readonly threshold: number | undefined;
	readonly beyond: number;
	readonly yearStart: "01-01" | "04-06";
};

export type Charge = {
	readonly id: string;
	readonly driver: number;
	readonly day: string;
	/** Cents, minus against the driver. */
	readonly cents: number;
	readonly instalments: number;
};
export type Trip = { readonly driver: number; readonly day: string; readonly miles: number };

export type Line = readonly [kind: string, platform: string | null, cents: number];
export type Worked = {
	readonly lines: readonly Line[];
	/** The corrections among them: the first day of the week, and cents. */
	readonly corrections: ReadonlyMap<string, number>;
	readonly carriedIn: number;
	readonly result: number;
};
export type Settled = {
	readonly id: string;
	readonly driver: number;
	readonly week: string;
	status: "draft" | "published" | "paid" | "void";
	/** As it was published. */
	published?: Worked;
	/** Of the settlement that carries it. */
	carriedBy?: string;
	payout?: string;
};

export const addDays = (day: string, days: number) =>
	new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const isIn = (week: string) => (day: string) => day >= week && day < addDays(week, 7);
const sum = (numbers: Iterable<number>) => [...numbers].reduce((so, next) => so + next, 0);
/** Halves go up. */
const percent = (cents: number, hundredths: number) => Math.round((cents * hundredths) / 10_000);

const mondayOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** Everything that was entered so far, and what follows from it. */
export class Fleet {
	readonly agreements: { readonly driver: number; readonly terms: Terms }[] = [];
	readonly charges = new Map<string, Charge>();
	readonly trips = new Map<string, Trip>();
	/** The imports of a platform's week, the newest last; each says everything of it. */
	readonly imports = new Map<
		string,
		{ readonly id: string; readonly earned: readonly Earned[] }[]
	>();
	readonly settlements = new Map<string, Settled>();

	#earned(driver: number, week: string, platform: Platform): Earned | undefined {
		return this.imports.get(`${platform} ${week}`)?.at(-1)?.earned[driver];
	}

	termsOf(driver: number, week: string): Terms | undefined {
		let found: Terms | undefined;
		for (const each of this.agreements)
			if (
				each.driver === driver &&
				each.terms.from <= week &&
				each.terms.from >= (found?.from ?? "")
			)
				found = each.terms;
		return found;
	}

	#miles(driver: number, week: string, terms: Terms): number {
		const trips = [...this.trips.values()]
			.filter((trip) => trip.driver === driver)
			.sort((one, other) => (one.day < other.day ? -1 : 1));
		let mills = 0;
		const driven = new Map<string, number>();
		for (const { day, miles } of trips) {
			const year = Number(day.slice(0, 4)) - (day.slice(5) < terms.yearStart ? 1 : 0);
			const before = driven.get(String(year)) ?? 0;
			driven.set(String(year), before + miles);
			if (!isIn(week)(day)) continue;
			const full = Math.min(miles, Math.max(0, (terms.threshold ?? Infinity) - before));
			mills += full * terms.mills + (miles - full) * terms.beyond;
		}
		return Math.round(mills / 10);
	}

	/** A week's lines without its corrections. */
	own(driver: number, week: string): Line[] {
		const terms = this.termsOf(driver, week);
		const lines: Line[] = [];
		const add = (kind: string, platform: string | null, cents: number) => {
			if (cents !== 0) lines.push([kind, platform, cents]);
		};
		for (const platform of terms ? PLATFORMS : []) {
			const earned = this.#earned(driver, week, platform);
			if (!terms || !earned || earned.isWrong) continue;
			const fares = percent(earned.fare - (terms.base === "net" ? earned.fee : 0), terms.fares);
			add("fares", platform, fares);
			add("tips", platform, percent(earned.tip, terms.tips));
			add("promotions", platform, percent(earned.promotion, terms.promotions));
			add("tolls", platform, terms.tollsTo === "driver" ? earned.toll : 0);
			add("cash", platform, -earned.cash);
			add("transfers", platform, -earned.transfer);
			add("fee", platform, -percent(fares, terms.fleet));
		}
		if (terms) {
			add("miles", null, this.#miles(driver, week, terms));
			add("rent", null, -terms.rent);
			add("fee", null, -terms.fee);
		}
		for (const { driver: owner, day, cents, instalments } of this.charges.values()) {
			if (owner !== driver) continue;
			const place = (Date.parse(week) - Date.parse(mondayOf(day))) / (7 * 86_400_000);
			if (place < 0 || place >= instalments) continue;
			const part = Math.sign(cents) * Math.floor(Math.abs(cents) / instalments);
			add("charge", null, place === instalments - 1 ? cents - part * place : part);
		}
		return lines;
	}

	live(driver?: number): Settled[] {
		return [...this.settlements.values()].filter(
			(each) => each.status !== "void" && (driver === undefined || each.driver === driver),
		);
	}

	/** A week as today's books have it. */
	work(driver: number, week: string): Worked {
		const published = this.live(driver).filter((each) => each.published);
		const earlier = published.filter((each) => each.week < week);
		const corrections = new Map<string, number>();
		for (const each of earlier) {
			const stated = (each.published?.lines ?? []).filter(([kind]) => kind !== "correction");
			const corrected = published
				.filter((later) => later.week > each.week)
				.map((later) => later.published?.corrections.get(each.week) ?? 0);
			const cents =
				sum(this.own(driver, each.week).map((line) => line[2])) -
				sum(stated.map((line) => line[2])) -
				sum(corrected);
			if (cents !== 0) corrections.set(each.week, cents);
		}
		const carriedIn = sum(
			earlier
				.filter((each) => each.carriedBy === undefined)
				.map((each) => Math.min(0, each.published?.result ?? 0)),
		);
		const lines: Line[] = [
			...this.own(driver, week),
			...[...corrections.values()].map((cents): Line => ["correction", null, cents]),
		];
		const result = carriedIn + sum(lines.map((line) => line[2]));
		return { lines, corrections, carriedIn, result };
	}

	#hasRows(driver: number, week: string): boolean {
		return PLATFORMS.some((platform) => this.#earned(driver, week, platform));
	}

	isDue(driver: number, week: string): boolean {
		const { lines, carriedIn } = this.work(driver, week);
		return carriedIn !== 0 || lines.length > 0 || this.#hasRows(driver, week);
	}

	/** Whether a draft could be published now. */
	mayPublish({ driver, week, status }: Settled, today: string): boolean {
		const hasMoney = PLATFORMS.some((platform) => {
			const earned = this.#earned(driver, week, platform);
			return earned !== undefined && !earned.isWrong;
		});
		const isAgreed = this.termsOf(driver, week) !== undefined || !hasMoney;
		return status === "draft" && addDays(week, 7) <= today && isAgreed;
	}

	publish(settled: Settled): void {
		settled.published = this.work(settled.driver, settled.week);
		settled.status = "published";
		for (const each of this.live(settled.driver))
			if (
				each.week < settled.week &&
				each.carriedBy === undefined &&
				(each.published?.result ?? 0) < 0
			)
				each.carriedBy = settled.id;
	}

	/** Whether no payout has it, and no later week carries or corrects it. */
	mayVoid({ driver, week, status, carriedBy, payout }: Settled): boolean {
		return (
			(status === "draft" || status === "published") &&
			payout === undefined &&
			carriedBy === undefined &&
			!this.live(driver).some((each) => each.week > week && each.published?.corrections.has(week))
		);
	}

	void(settled: Settled): void {
		settled.status = "void";
		for (const each of this.settlements.values())
			if (each.carriedBy === settled.id) delete each.carriedBy;
	}

	/** What a payout of everything holds. */
	payable(): Settled[] {
		return this.live().filter(
			({ status, payout, published }) =>
				status === "published" && payout === undefined && (published?.result ?? 0) > 0,
		);
	}

	/** Whether a published week has an instalment of it. */
	isSettled({ driver, day, instalments }: Charge): boolean {
		const first = mondayOf(day);
		return this.live(driver).some(
			({ week, published }) => published && week >= first && week < addDays(first, 7 * instalments),
		);
	}
}

const UBER = {
	en: {
		root: "Paid to you",
		people: ["Driver UUID", "Driver first name", "Driver last name"],
		fare: "Your earnings:Fare:Fare",
		fee: "Your earnings:Service fee",
		tip: "Your earnings:Tip",
		promotion: "Your earnings:Promotion:Quest",
		toll: "Trip balance:Refunds:Toll",
		cash: "Trip balance:Payouts:Cash Collected",
		transfer: "Trip balance:Payouts:Transferred To Bank Account",
	},
	de: {
		root: "An dein Unternehmen gezahlt",
		people: ["Fahrer-UUID", "Vorname des Fahrers", "Nachname des Fahrers"],
		fare: "Deine Umsätze:Fahrpreis:Fahrpreis",
		fee: "Deine Umsätze:Servicegebühr",
		tip: "Deine Umsätze:Trinkgeld",
		cash: "Fahrtguthaben:Auszahlungen:Eingenommenes Bargeld",
		transfer: "Fahrtguthaben:Auszahlungen:Auf Bankkonto überwiesen",
	},
	pl: {
		root: "Wypłacono Ci",
		people: ["Identyfikator UUID kierowcy", "Imię kierowcy", "Nazwisko kierowcy"],
		fare: "Twój przychód:Opłata:Opłata",
		fee: "Twój przychód:Opłata za usługę",
		tip: "Twój przychód:Napiwek",
		cash: "Bilans przejazdu:Wypłaty:Odebrana gotówka",
		transfer: "Bilans przejazdu:Wypłaty:Przelano na konto bankowe",
	},
	pt: {
		root: "Pago a si",
		people: ["UUID do motorista", "Nome próprio do motorista", "Apelido do motorista"],
		fare: "Os seus rendimentos:Tarifa:Tarifa",
		fee: "Os seus rendimentos:Taxa de serviço",
		tip: "Os seus rendimentos:Gratificação",
		toll: "Saldo da viagem:Reembolsos:Portagem",
		cash: "Saldo da viagem:Pagamentos:Dinheiro recebido",
		transfer: "Saldo da viagem:Pagamentos:Transferido para uma conta bancária",
	},
} as const;
/** In the order of the columns below. */
const BOLT = {
	pt: [
		...["Motorista", "Identificador do motorista", "Ganhos brutos (total)|$"],
		...[
			"Ganhos brutos (pagamentos na app)|$",
			"Gorjetas dos passageiros|$",
			"Ganhos da campanha|$",
		],
		...[
			"Reembolsos de despesas|$",
			"Dinheiro recebido|$",
			"Taxas de reserva|$",
			"Total de taxas|$",
		],
		...["Comissões|$", "Reembolsos aos passageiros|$", "Outras taxas|$"],
		...["Ganhos líquidos|$", "Pagamento previsto|$"],
	],
	de: [
		...["Fahrer:in", "Fahrer-ID", "Bruttoverdienst (insgesamt)|$"],
		...["Bruttoeinnahmen (In-App-Zahlung)|$", "Trinkgelder von Fahrgästen|$"],
		...["Kampagneneinnahmen|$", "Kostenerstattungen|$", "Erhaltenes Bargeld|$"],
		...["Buchungsgebühren|$", "Gesamtgebühren|$", "Provision|$", "Rückerstattungen an Fahrgäste|$"],
		...["Sonstige Gebühren|$", "Umsatz netto|$", "Voraussichtliche Auszahlung|$"],
	],
} as const;

/** Cents as a decimal: `-12.05`. */
export const decimal = (cents: number) => (cents / 100).toFixed(2);
const compact = (day: string) => day.replaceAll("-", "");

const KINDS = ["fare", "fee", "tip", "promotion", "toll", "cash", "transfer"] as const;
type Kind = (typeof KINDS)[number];
const GOES_OUT: ReadonlySet<string> = new Set(["fee", "cash", "transfer"]);

export type Statement = {
	readonly file: Written;
	/** By driver: what the language has a column for. */
	readonly earned: readonly Earned[];
};

/** A week of both drivers at a platform, in any of its languages, with random amounts. */
export function writeWeek(
	platform: Platform,
	{ from, to, next }: Period,
	drivers: readonly Driver[],
	dice: Dice,
): Statement {
	const language = dice.pick(["en", "de", "pl", "pt"] as const);
	const paths: Readonly<Partial<Record<Kind, string>>> = UBER[language];
	const hasKind = (kind: Kind) =>
		platform === "uber" ? paths[kind] !== undefined : kind !== "transfer";
	const some = (kind: Kind, most: number, sides: number) =>
		hasKind(kind) && dice.once(sides) ? 1 + dice.below(most) : 0;
	const earned = drivers.map((): Earned => {
		const fare = 2000 + dice.below(150_000);
		return {
			fare,
			fee: 1 + dice.below(Math.floor(fare / 2)),
			tip: some("tip", 9_000, 2),
			promotion: some("promotion", 20_000, 3),
			toll: some("toll", 4_000, 3),
			cash: some("cash", 60_000, 4),
			transfer: some("transfer", 60_000, 6),
			isWrong: dice.once(12),
		};
	});
	const cell = (kind: Kind, { [kind]: cents }: Earned) =>
		decimal(platform === "uber" && GOES_OUT.has(kind) ? -cents : cents);
	let head: readonly string[];
	let rows: string[][];
	if (platform === "uber") {
		const { root, people } = UBER[language];
		const kinds = KINDS.filter((kind) => earned.some((each) => each[kind] !== 0));
		head = [...people, root, ...kinds.map((kind) => `${root}:${paths[kind]}`)];
		rows = earned.map((each, driver) => {
			const { platformId = "", first = "", last = "" } = drivers[driver] ?? {};
			const total = sum(KINDS.map((kind) => (GOES_OUT.has(kind) ? -each[kind] : each[kind])));
			return [
				...[platformId, first, last, decimal(total + (each.isWrong ? 1 : 0))],
				...kinds.map((kind) => cell(kind, each)),
			];
		});
	} else {
		head = BOLT[dice.pick(["pt", "de"] as const)];
		rows = earned.map((each, driver) => {
			const { platformId = "", first = "", last = "" } = drivers[driver] ?? {};
			const gross = each.fare + each.tip + each.promotion + each.toll;
			const net = gross - each.fee + (each.isWrong ? 1 : 0);
			return [
				...[`${first} ${last}`, platformId, decimal(gross)],
				...(["fare", "tip", "promotion", "toll", "cash"] as const).map((kind) => cell(kind, each)),
				...["0.00", decimal(each.fee), decimal(each.fee), "0.00", "0.00"],
				...[decimal(net), decimal(net - each.cash)],
			];
		});
	}
	const dated = (day: string) => day.split("-").toReversed().join("_");
	const text = [head, ...dice.shuffle(rows)].map((row) => `${row.join(",")}\n`).join("");
	const name =
		platform === "uber"
			? `${compact(from)}-${compact(next)}-payments_driver-Weeks.csv`
			: `Earnings per driver-${dated(from)}-${dated(to)}-Weeks.csv`;
	return { file: { name, bytes: new TextEncoder().encode(text) }, earned };
}
