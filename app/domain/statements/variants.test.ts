import { describe, expect, it } from "vitest";
import {
	asExcelSaves,
	renameColumns,
	reorderColumns,
	rowOf,
	shuffleRows,
	type Table,
	tableOf,
	toBytes,
	toText,
	translatePaths,
	type Writing,
	withCommas,
	withRows,
} from "../../../tests/support/statement-tables.ts";
import {
	expectedOf,
	expectedSummary,
	read,
	SAMPLES,
	type Sample,
	summarize,
} from "../../../tests/support/statements.ts";

type Variant = readonly [name: string, content: string | Uint8Array, fileName: string];

/** The ways in which a statement may be written, with the rows they apply to. */
function writings(sample: Sample): readonly Variant[] {
	const table = tableOf(sample);
	const { uploadAs } = expectedOf(sample);
	const blanks = `${";".repeat(table.head.length - 1)}\r\n`.repeat(3);
	const written = (name: string, changed: Table, writing: Writing = {}): Variant => [
		name,
		toBytes(changed, writing),
		uploadAs,
	];
	const mangled = uploadAs.replace(".csv", " (2).csv");
	return [
		written("semicolons and decimal commas", withCommas(table), { separator: ";" }),
		written("tabs", table, { separator: "\t" }),
		written("commas around quoted decimal commas", withCommas(table)),
		written("UTF-16 with tabs, as Excel's Unicode Text", table, {
			separator: "\t",
			byteOrderMark: true,
			lineEnd: "\r\n",
			encoding: "utf-16le",
		}),
		written("UTF-16 the other way round", table, { byteOrderMark: true, encoding: "utf-16be" }),
		written("UTF-16 without a byte order mark", withCommas(table), {
			separator: ";",
			encoding: "utf-16le",
		}),
		written("a byte order mark and CRLF", table, { byteOrderMark: true, lineEnd: "\r\n" }),
		written("every cell quoted", table, { quotes: true, byteOrderMark: true }),
		written("empty rows at the end", withCommas(table), {
			separator: ";",
			lineEnd: "\r\n",
			tail: blanks,
		}),
		...[1, 2, 3].map((seed) => written(`columns shuffled (${seed})`, shuffleRows(table, seed))),
		written(
			"columns back to front",
			reorderColumns(table, table.head.map((_, at) => at).reverse()),
			{
				separator: ";",
			},
		),
		written("headers in capitals, with blanks around colons", {
			head: table.head.map((name) => ` ${name.toUpperCase().replaceAll(":", " :  ")} `),
			rows: table.rows,
		}),
		written("headers with accents beside their letters", {
			head: table.head.map((name) => name.normalize("NFD")),
			rows: table.rows,
		}),
		["no line break at the end", toText(table).trimEnd(), uploadAs],
		["lines wrapped by Excel", asExcelSaves(toText(table)), uploadAs],
		[
			"lines of quoted cells wrapped by Excel",
			asExcelSaves(toText(table, { quotes: true })),
			uploadAs,
		],
		["a file name from a browser", toText(table), mangled],
		["a file name with underscores", toText(table), mangled.replaceAll(/[- ]/g, "_")],
		["a file name with accents beside letters", toText(table), mangled.normalize("NFD")],
		written("more columns that hold nothing", {
			head: [...table.head, "", ""],
			rows: table.rows.map((cells) => [...cells, "", ""]),
		}),
	];
}

describe.each(SAMPLES)("%s, however it is written", (sample) => {
	const expected = expectedOf(sample);
	it.each(writings(sample))("%s", async (_, content, fileName) => {
		const found = await read(content, { fileName });
		expect(found.reading).toMatchObject({ format: expected.format });
		expect(summarize(found)).toEqual(expectedSummary(expected));
		expect(found.end).toMatchObject({ rows: expected.rows.data, unknownColumns: [] });
	});
});

const GERMAN_FIELDS = {
	"transaction UUID": "Transaktions-UUID",
	"Driver UUID": "Fahrer-UUID",
	"Driver first name": "Vorname des Fahrers",
	"Driver last name": "Nachname des Fahrers",
	"Trip UUID": "Fahrt-UUID",
	Description: "Beschreibung",
	"Organization name": "Name des Unternehmens",
	"Org alias": "Alias der Firma",
	"vs reporting": "vs-Berichterstattung",
};
const GERMAN_PARTS = {
	"Paid to you": "An dein Unternehmen gezahlt",
	"Your earnings": "Deine Umsätze",
	Fare: "Fahrpreis",
	"Service fee": "Servicegebühr",
	Taxes: "Steuern",
	Tip: "Trinkgeld",
	"Trip balance": "Fahrtguthaben",
	Payouts: "Auszahlungen",
	"Cash Collected": "Eingenommenes Bargeld",
	"Transferred To Bank Account": "Auf Bankkonto überwiesen",
};
const SPANISH_FIELDS = {
	"transaction UUID": "identificador único universal (UUID) de la transacción",
	"Driver UUID": "identificador único universal (UUID) del socio de la App",
	"Driver first name": "Nombre del socio de la App",
	"Driver last name": "Apellido del socio de la App",
	"Trip UUID": "identificador único universal (UUID) del viaje",
	Description: "Descripción",
	"Organization name": "Nombre de la organización",
	"Org alias": "Alias de la organización",
	"vs reporting": "vs. informes",
};
const POLISH_FIELDS = {
	"UUID do motorista": "Identyfikator UUID kierowcy",
	"Nome próprio do motorista": "Imię kierowcy",
	"Apelido do motorista": "Nazwisko kierowcy",
};
const POLISH_PARTS = {
	"Pago a si": "Wypłacono Ci",
	"Os seus rendimentos": "Twój przychód",
	Tarifa: "Opłata",
	"Imposto sobre a tarifa": "Podatek od opłaty",
	"Taxa de serviço": "Opłata za usługę",
	Impostos: "Podatki",
	Gratificação: "Napiwek",
	"Saldo da viagem": "Bilans przejazdu",
	Pagamentos: "Wypłaty",
	"Dinheiro recebido": "Odebrana gotówka",
	"Transferido para uma conta bancária": "Przelano na konto bankowe",
};
const FROM_PORTUGUESE = {
	"UUID do motorista": "Fahrer-UUID",
	"Nome próprio do motorista": "Vorname des Fahrers",
	"Apelido do motorista": "Nachname des Fahrers",
};
const FROM_PORTUGUESE_PARTS = {
	"Pago a si": "An dein Unternehmen gezahlt",
	"Os seus rendimentos": "Deine Umsätze",
	Tarifa: "Fahrpreis",
	"Imposto sobre a tarifa": "Steuer auf Fahrpreis",
	"Taxa de serviço": "Servicegebühr",
	"Ajuste da taxa de serviço": "Anpassung der Servicegebühr",
	"Taxa de reserva": "Buchungsgebühr",
	Impostos: "Steuern",
	Gratificação: "Trinkgeld",
	"Saldo da viagem": "Fahrtguthaben",
	Pagamentos: "Auszahlungen",
	"Dinheiro recebido": "Eingenommenes Bargeld",
	"Transferido para uma conta bancária": "Auf Bankkonto überwiesen",
};
const GERMAN_BOLT = {
	Motorista: "Fahrer:in",
	Email: "E-Mail-Adresse",
	Telemóvel: "Handynummer",
	"Ganhos brutos (total)|€": "Bruttoverdienst (insgesamt)|€",
	"Dinheiro recebido|€": "Erhaltenes Bargeld|€",
	"Gorjetas dos passageiros|€": "Trinkgelder von Fahrgästen|€",
	"Taxas de cancelamento|€": "Stornogebühren|€",
	"Portagens|€": "Mautgebühren|€",
	"Taxas de reserva|€": "Buchungsgebühren|€",
	"Total de taxas|€": "Gesamtgebühren|€",
	"Comissões|€": "Provision|€",
	"Reembolsos aos passageiros|€": "Rückerstattungen an Fahrgäste|€",
	"Outras taxas|€": "Sonstige Gebühren|€",
	"Ganhos líquidos|€": "Umsatz netto|€",
	"Pagamento previsto|€": "Voraussichtliche Auszahlung|€",
	"Ganhos brutos por hora|€/h": "Bruttoverdienst pro Stunde|€/Std.",
	"Ganhos líquidos por hora|€/h": "Nettoverdienst pro Stunde|€/Std.",
	"Identificador do motorista": "Fahrer-ID",
	"Identificador individual": "Individueller Identifikator",
};
const order = tableOf("uber-payments-order");
const driver = tableOf("uber-payments-driver");
const earnings = tableOf("uber-payments-driver-total-earnings");
const bolt = tableOf("bolt-weekly");

const LANGUAGES: readonly (readonly [string, Sample, Table])[] = [
	["German", "uber-payments-order", translatePaths(order, GERMAN_FIELDS, GERMAN_PARTS)],
	["Mexican ids, English money", "uber-payments-order", renameColumns(order, SPANISH_FIELDS)],
	[
		"British English",
		"uber-payments-order",
		renameColumns(order, {
			"Driver last name": "Driver surname",
			"Organization name": "Organisation name",
			"Paid to you : Trip balance : Payouts : Cash Collected":
				"Paid to you : Trip balance : Payouts : Cash collected",
			"Paid to you:Your earnings:Fare:Wait Time at Pickup":
				"Paid to you:Your earnings:Fare:Wait Time at Pick-up",
		}),
	],
	[
		"the service fee under the fare",
		"uber-payments-order",
		renameColumns(order, {
			"Paid to you:Your earnings:Service fee": "Paid to you:Your earnings:Fare:Service fee",
		}),
	],
	["Polish", "uber-payments-driver", translatePaths(driver, POLISH_FIELDS, POLISH_PARTS)],
	[
		"German",
		"uber-payments-driver",
		translatePaths(driver, FROM_PORTUGUESE, FROM_PORTUGUESE_PARTS),
	],
	[
		"blanks around every colon",
		"uber-payments-driver-total-earnings",
		{ head: earnings.head.map((name) => name.replace(/ ?: ?/g, " : ")), rows: earnings.rows },
	],
	[
		"no blanks around a colon",
		"uber-payments-driver-total-earnings",
		{ head: earnings.head.map((name) => name.replace(/ ?: ?/g, ":")), rows: earnings.rows },
	],
	["German", "bolt-weekly", renameColumns(bolt, GERMAN_BOLT)],
	[
		"złoty for euros",
		"bolt-weekly",
		{ head: bolt.head.map((name) => name.replace("|€", "|ZŁ")), rows: bolt.rows },
	],
];

it.each(LANGUAGES)("%s: %s comes to the same", async (_, sample, table) => {
	const expected = expectedOf(sample);
	const found = await read(toText(table), { fileName: expected.uploadAs });
	expect(summarize(found)).toEqual(expectedSummary(expected));
	const { money } = await read(toText(tableOf(sample)), { fileName: expected.uploadAs });
	expect(found.money).toEqual(money);
});

/** Rows that change no fee, by type; `reason` is why they are left out, if they are. */
const NORA = "5bd21b6a-ec89-47a6-8a0a-c984f71ab247";
let transactions = 0;
const transaction = () => {
	transactions += 1;
	return `${String(transactions).padStart(8, "0")}-0000-3000-8000-000000000000`;
};
const FEE = "Paid to you:Your earnings:Service fee";
const TRANSFER = "Paid to you:Trip balance:Payouts:Transferred To Bank Account";
const trip = (cells: Readonly<Record<string, string>>) =>
	rowOf(order, {
		"transaction UUID": transaction(),
		"Driver UUID": NORA,
		"Driver first name": "Nora",
		"Driver last name": "Velez",
		"Trip UUID": "00000000-1111-4222-8333-444444444444",
		Description: "trip completed order",
		"vs reporting": "2026-09-22 10:00:00.1 -0400 EDT",
		...Object.fromEntries(
			order.head.filter((name) => name.startsWith("Paid to you")).map((name) => [name, "0"]),
		),
		...cells,
	});

const ADDED: readonly (readonly [string, Sample, Table, string | undefined])[] = [
	[
		"a fee and its reversal",
		"uber-payments-order",
		withRows(order, 9, [
			trip({ [FEE]: "-3.75" }),
			trip({ [FEE]: "3.75", Description: "trip fare adjust order en-US" }),
		]),
		undefined,
	],
	[
		"payouts",
		"uber-payments-order",
		withRows(order, 0, [
			trip({
				Description: "so.payout",
				"Driver UUID": "00000000-0000-0000-0000-000000000000",
				"Trip UUID": "",
				[TRANSFER]: "-812.20",
			}),
			trip({ Description: "so.payout", "Trip UUID": "", [TRANSFER]: "-1.00" }),
		]),
		"payout",
	],
	[
		"cancelled trips",
		"uber-payments-order",
		withRows(order, 30, [
			trip({ "Paid to you:Your earnings:Fare:Cancellation": "4.00" }),
			trip({}),
		]),
		"no-fee",
	],
	[
		"a promotion with commas and a quotation",
		"uber-payments-order",
		withRows(order, 30, [
			trip({
				Description: 'Aktion: "20 Fahrten", 25,00 €',
				"Trip UUID": "",
				"Paid to you:Your earnings:Promotion:Quest": "25.00",
			}),
		]),
		"no-fee",
	],
	[
		"the fleet's own row",
		"uber-payments-order",
		withRows(order, 12, [
			trip({
				"Driver UUID": "e88b7591-31db-4e32-98dc-b35f94c662cd",
				"Driver first name": "Harbor Lane",
				"Driver last name": "Cars LLC",
				"Organization name": "Harbor Lane Cars LLC",
				"Trip UUID": "",
				Description: "adjustment",
				"Paid to you": "-10.00",
				[FEE]: "-7.00",
			}),
		]),
		"organisation",
	],
	[
		"a header again",
		"uber-payments-order",
		withRows(order, 20, [[...order.head]]),
		"repeated-header",
	],
	[
		"a header again",
		"uber-payments-driver",
		withRows(driver, 20, [[...driver.head]]),
		"repeated-header",
	],
	["a header again", "bolt-weekly", withRows(bolt, 3, [[...bolt.head]]), "repeated-header"],
	[
		"a driver without fees",
		"uber-payments-driver",
		withRows(driver, 2, [
			rowOf(driver, {
				"UUID do motorista": NORA,
				"Nome próprio do motorista": "Nora",
				"Pago a si:Os seus rendimentos:Gratificação": "1.00",
			}),
		]),
		"no-fee",
	],
	[
		"a fleet that is only paid",
		"uber-payments-driver-total-earnings",
		withRows(earnings, 0, [
			rowOf(earnings, {
				"Driver UUID": "16a77a24-51c8-43bc-8b31-1d8c9273e78c",
				"Driver first name": "Second Fleet",
				Payouts: "-5.00",
				"Payouts:Transferred To Bank Account": "-5.00",
			}),
		]),
		"organisation",
	],
	[
		"a row of nothing, named by a dash",
		"bolt-weekly",
		withRows(bolt, 5, [
			rowOf(
				bolt,
				Object.fromEntries(
					bolt.head.map((name) => [
						name,
						name === "Motorista" ? "—" : name.includes("|") ? "0.00" : "",
					]),
				),
			),
		]),
		"no-fee",
	],
];

it.each(ADDED)("%s: %s comes to the same fees", async (_, sample, table, reason) => {
	const expected = expectedOf(sample);
	const found = await read(toText(table), { fileName: expected.uploadAs });
	const { fees, netted, leftOut } = summarize(found, { withRows: false });
	const should = expectedSummary(expected, { withRows: false });
	expect({ fees, netted }).toEqual({ fees: should.fees, netted: should.netted });
	const count = (list: typeof leftOut) =>
		list.find(({ sortKey }) => sortKey === reason) ?? { count: 0 };
	if (reason === undefined) return expect(leftOut).toEqual(should.leftOut);
	const before = count(should.leftOut);
	const added = table.rows.length - tableOf(sample).rows.length;
	expect("count" in before && count(leftOut)).toMatchObject({
		count: Number("count" in before && before.count) + added,
	});
});

/** A row of totals: its text, and the column it is in. */
const TOTALS: readonly (readonly [Sample, string, string])[] = SAMPLES.flatMap((sample) => {
	const { head } = tableOf(sample);
	return [
		[sample, "Total", head[0] ?? ""],
		[sample, "Summe:", head[0] ?? ""],
		[sample, "RAZEM", head[1] ?? ""],
		[sample, "", head[0] ?? ""],
	] as const;
});
it.each(TOTALS)("%s with a row of totals called '%s' in %s", async (sample, word, column) => {
	const expected = expectedOf(sample);
	const table = tableOf(sample);
	const sums = table.head.map((name, at) => {
		if (name === column && word !== "") return word;
		const cents = table.rows.map((cells) => cells[at] ?? "");
		return cents.some((text) => /\.\d\d$/.test(text)) && !/reporting|\/h/.test(name)
			? (cents.reduce((sum, text) => sum + Math.round(Number(text || 0) * 100), 0) / 100).toFixed(2)
			: "";
	});
	const found = await read(toText(withRows(table, table.rows.length, [sums])), {
		fileName: expected.uploadAs,
	});
	const { fees, leftOut } = summarize(found);
	expect(fees).toEqual(expectedSummary(expected).fees);
	// Its sums include every row, even left-out ones.
	const inRows = expected.leftOut.reduce((sum, { cents }) => sum + cents, expected.totals.all ?? 0);
	expect(leftOut.find(({ sortKey }) => sortKey === "total")).toMatchObject({
		rows: [table.rows.length + 2],
		cents: inRows,
	});
});

it.each([
	"-0600 CST",
	"-0500 CDT",
	"+0530 IST",
	"+0530 +0530",
	"+0100 CET",
	"+0300 EEST",
	"+02:00",
	"Z",
	"-0300 -03",
	"+0000 UTC",
	"",
])("the day stays as written before '%s'", async (zone) => {
	const at = order.head.indexOf("vs reporting");
	const rows = order.rows.map((cells, row) =>
		cells.map((text, column) =>
			column === at
				? text
						.replace(/ -0400 EDT$/, zone && ` ${zone}`)
						.replace(/\.\d+/, (digits) => (row % 2 ? "" : digits))
				: text,
		),
	);
	const expected = expectedOf("uber-payments-order");
	const found = await read(toText({ head: order.head, rows }), { fileName: expected.uploadAs });
	expect(summarize(found)).toEqual(expectedSummary(expected));
});

it("an unknown driver adds only their own fee", async () => {
	const expected = expectedOf("uber-payments-order");
	const table = withRows(order, 5, [
		trip({
			"Driver UUID": "11111111-2222-4333-8444-555555555555",
			"Driver first name": "New",
			[FEE]: "-1.11",
		}),
	]);
	const { fees } = summarize(await read(toText(table), { fileName: expected.uploadAs }), {
		withRows: false,
	});
	const own = fees.filter(({ platformId }) => platformId.startsWith("11111111"));
	expect(own).toMatchObject([{ name: "New Velez", cents: 111, date: "2026-09-22" }]);
	expect(fees.filter((fee) => !own.includes(fee))).toEqual(
		expectedSummary(expected, { withRows: false }).fees,
	);
});

it("names an unknown money column with its total, and adds it to nothing", async () => {
	for (const [sample, name] of [
		["uber-payments-order", "Paid to you:Your earnings:Taxes:Clean air levy"],
		["uber-payments-driver", "Pago a si:Saldo da viagem:Despesas:Aluguer"],
		["uber-payments-driver-total-earnings", "Refunds & Expenses:Expenses:Fines"],
		["uber-payments-driver", "Prémio"],
		["bolt-weekly", "Seguro|€"],
	] as const) {
		const table = tableOf(sample);
		const expected = expectedOf(sample);
		const text = toText({
			head: [...table.head, name],
			rows: table.rows.map((cells, at) => [...cells, at < 3 ? `-${at + 1}.50` : ""]),
		});
		const found = await read(text, { fileName: expected.uploadAs });
		expect(found.end?.unknownColumns).toEqual([{ name, cents: -750, unreadable: 0 }]);
		expect(summarize(found)).toEqual(expectedSummary(expected));
	}
});

describe("payments by transaction aren't read as payments by driver", () => {
	const inPortuguese = translatePaths(
		order,
		{
			"transaction UUID": "UUID da transação",
			"Driver UUID": "UUID do motorista",
			"Driver first name": "Nome próprio do motorista",
			"Driver last name": "Apelido do motorista",
			"Trip UUID": "UUID da viagem",
			Description: "Descrição",
			"vs reporting": "vs relatórios",
		},
		{
			"Paid to you": "Pago a si",
			"Your earnings": "Os seus rendimentos",
			"Service fee": "Taxa de serviço",
		},
	);
	const without = (...names: readonly string[]): Table => {
		const kept = order.head.flatMap((name, at) => (names.includes(name) ? [] : [at]));
		return reorderColumns(order, kept);
	};

	it.each([
		["if their columns have names in an unknown language", inPortuguese],
		["without a time", without("vs reporting", "Description", "Trip UUID")],
		["without an id", without("transaction UUID", "Description", "Trip UUID")],
	])("%s", async (_, table) => {
		const { uploadAs } = expectedOf("uber-payments-order");
		const { reading } = await read(toText(table), { fileName: uploadAs });
		expect(reading).toMatchObject({
			kind: "refused",
			message: expect.stringContaining("the transaction or its time are missing"),
		});
	});
});

it("payments by driver may name a trip in each row", async () => {
	const expected = expectedOf("uber-payments-driver");
	const text = toText({
		head: ["Trip UUID", ...driver.head],
		rows: driver.rows.map((cells, at) => [
			`00000000-0000-4000-8000-0000000000${at + 10}`,
			...cells,
		]),
	});
	expect(summarize(await read(text, { fileName: expected.uploadAs }))).toEqual(
		expectedSummary(expected),
	);
});
