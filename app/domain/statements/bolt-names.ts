/**
 * Bolt's column names in the languages in which they were seen, folded when they are looked up,
 * without the currency after the bar.
 */
import { foldHeading } from "./heading.ts";
import type { MoneyKind } from "./money.ts";
import type { NotFeeReason } from "./statement.ts";

export type BoltField =
	| "driver"
	| "driverId"
	| "gross"
	| "net"
	| "allFees"
	| "commission"
	| "refunds"
	| "otherFees"
	| "bookingFees"
	| "oldGross"
	| "oldFee"
	| "oldBalance"
	/** A column that is never read: people, ratings. */
	| "ignored";

const FIELDS: Readonly<Record<BoltField, readonly string[]>> = {
	driver: ["Motorista", "Fahrer:in", "Kierowca", "Driver"],
	driverId: ["Identificador do motorista", "Fahrer-ID", "Identyfikator kierowcy"],
	gross: [
		"Ganhos brutos (total)",
		"Bruttoverdienst (insgesamt)",
		"Zarobki brutto (ogółem)",
		"Gross earnings (total)",
	],
	net: ["Ganhos líquidos", "Umsatz netto", "Zarobki netto", "Net earnings"],
	allFees: ["Total de taxas", "Gesamtgebühren", "Opłaty ogółem"],
	commission: ["Comissões", "Provision", "Prowizja"],
	refunds: ["Reembolsos aos passageiros", "Rückerstattungen an Fahrgäste"],
	otherFees: ["Outras taxas", "Sonstige Gebühren"],
	bookingFees: ["Taxas de reserva", "Buchungsgebühren"],
	oldGross: ["Wartość brutto"],
	oldFee: ["Opłata Bolt"],
	oldBalance: ["Tygodniowy bilans"],
	ignored: [
		"Email",
		"E-Mail-Adresse",
		"Adres e-mail",
		"Telemóvel",
		"Handynummer",
		"Numer telefonu",
		"Driver's Phone",
		"Telefon",
		"Identificador individual",
		"Individueller Identifikator",
	],
};

/** Parts of the gross earnings that aren't tips or promotions. */
const EARNINGS = {
	fare: [
		"Ganhos brutos (pagamentos na app)",
		"Ganhos brutos (pagamentos em dinheiro)",
		"Taxas de cancelamento",
		"Bruttoeinnahmen (In-App-Zahlung)",
		"Bruttoeinnahmen (Barzahlung)",
		"Stornogebühren",
		"Zarobki brutto (płatności w aplikacji)",
		"Zarobki brutto (płatności gotówkowe)",
		"Opłaty za anulowanie",
		"Opłata za anulowanie",
	],
	toll: ["Reembolsos de despesas", "Kostenerstattungen", "Zwroty wydatków"],
	other_earning: ["Zwroty", "Zniżki gotówkowe zrekompensowane przez Bolt"],
} as const satisfies Partial<Record<MoneyKind, readonly string[]>>;

const NOT_FEES: Readonly<Partial<Record<NotFeeReason, readonly string[]>>> = {
	earning: Object.values(EARNINGS).flat(),
	tax: [
		"IVA sobre os ganhos brutos (pagamentos na app)",
		"IVA sobre os ganhos brutos (pagamentos em dinheiro)",
		"IVA das taxas de cancelamento",
		"IVA das taxas de reserva",
		"Bruttoeinnahmen (In-App-Zahlung) MwSt.",
		"Bruttoeinnahmen (Barzahlung) MwSt.",
		"Stornogebühren MwSt.",
		"MwSt. auf Buchungsgebühren",
	],
	promotion: ["Ganhos da campanha", "Kampagneneinnahmen", "Zarobki z kampanii", "Bonus"],
	tip: [
		"Gorjetas dos passageiros",
		"Trinkgelder von Fahrgästen",
		"Napiwki od pasażerów",
		"Rider tips",
		"Napiwek",
	],
	toll: ["Portagens", "Mautgebühren"],
	cash: [
		"Dinheiro recebido",
		"Erhaltenes Bargeld",
		"Pobrana gotówka",
		"Collected cash",
		"Przejazdy gotówkowe (przyjęta gotówka)",
	],
	payout: [
		"Pagamento previsto",
		"Voraussichtliche Auszahlung",
		"Przewidywana wypłata",
		"Projected payout",
	],
	// The commission is stated after them.
	discount: ["Desconto de comissão (in-app)", "Desconto da comissão (dinheiro)"],
};

/** Taxes that are part of an earning, discounts and rates aren't separate money. */
const MONEY: Readonly<Partial<Record<MoneyKind, readonly string[]>>> = {
	...EARNINGS,
	promotion: NOT_FEES.promotion ?? [],
	tip: NOT_FEES.tip ?? [],
	cash: NOT_FEES.cash ?? [],
};

const lookUp = <Key extends string>(table: Readonly<Partial<Record<Key, readonly string[]>>>) =>
	new Map(
		(Object.keys(table) as Key[]).flatMap((key) =>
			(table[key] ?? []).map((name) => [foldHeading(name), key] as const),
		),
	);
const FIELD_OF = lookUp(FIELDS);
const NOT_FEE_OF = lookUp(NOT_FEES);
const MONEY_OF = lookUp(MONEY);

/** A heading's name and what follows its bar: the currency, or the unit of a figure. */
export type BoltName = { readonly base: string; readonly unit: string | undefined };

export function splitUnit(folded: string): BoltName {
	const bar = folded.lastIndexOf("|");
	return bar < 0
		? { base: folded, unit: undefined }
		: { base: folded.slice(0, bar).trim(), unit: folded.slice(bar + 1).trim() };
}

export const boltField = (base: string): BoltField | undefined => FIELD_OF.get(base);
export const boltNotFee = (base: string): NotFeeReason | undefined => NOT_FEE_OF.get(base);
/** What a column's money is for the driver; tolls are part of the fares. */
export const boltMoney = (base: string): MoneyKind | undefined => MONEY_OF.get(base);

/** Signs that stand for a single currency. */
const CURRENCIES: Readonly<Record<string, string>> = {
	"€": "EUR",
	zl: "PLN",
	"£": "GBP",
	kc: "CZK",
	lei: "RON",
	ft: "HUF",
	"₴": "UAH",
	"₾": "GEL",
	"₦": "NGN",
	"₺": "TRY",
};

/** The currency of a unit: `EUR` for `€`; undefined for a unit that isn't one: `%`, `km`, `€/h`. */
export function currencyOf(unit: string): string | undefined {
	if (unit === "" || /[%★\d/]/.test(unit) || ["km", "mi", "min", "h", "std."].includes(unit))
		return undefined;
	return CURRENCIES[unit] ?? unit.toUpperCase();
}
