/**
 * Uber's column names in the languages in which they were seen, folded when they are looked up. A
 * name is listed only if it was seen in a file or is English: others may mean something else.
 */
import type { FeeCategory } from "../uber-fees/rules.ts";
import { foldHeading } from "./heading.ts";
import type { NotFeeReason } from "./statement.ts";

export type UberField =
	| "lineId"
	| "driverId"
	| "firstName"
	| "lastName"
	| "trip"
	| "time"
	| "description"
	| "organization";

const FIELDS: Readonly<Record<UberField, readonly string[]>> = {
	lineId: [
		"transaction UUID",
		"Transaktions-UUID",
		"identificador único universal (UUID) de la transacción",
	],
	driverId: [
		"Driver UUID",
		"Fahrer-UUID",
		"Identyfikator UUID kierowcy",
		"UUID do motorista",
		"identificador único universal (UUID) del socio de la App",
		"기사님 UUID",
		"UUID du chauffeur",
	],
	firstName: [
		"Driver first name",
		"Vorname des Fahrers",
		"Imię kierowcy",
		"Nome próprio do motorista",
		"Nombre del socio de la App",
	],
	lastName: [
		"Driver last name",
		"Driver surname",
		"Nachname des Fahrers",
		"Nazwisko kierowcy",
		"Apelido do motorista",
		"Apellido del socio de la App",
	],
	trip: [
		"Trip UUID",
		"Fahrt-UUID",
		"Identyfikator UUID przejazdu",
		"identificador único universal (UUID) del viaje",
	],
	time: [
		"vs reporting",
		"vs-Berichterstattung",
		"vs. informes",
		"față de raportare",
		"Processed At",
	],
	description: ["Description", "Beschreibung", "Opis", "Descripción", "설명"],
	organization: [
		"Organization name",
		"Organisation name",
		"Org alias",
		"Name des Unternehmens",
		"Alias der Firma",
		"Nombre de la organización",
		"Alias de la organización",
	],
};

const FIELD_OF = new Map(
	(Object.keys(FIELDS) as UberField[]).flatMap((field) =>
		FIELDS[field].map((name) => [foldHeading(name), field] as const),
	),
);

/** The meaning of a column without money, by its folded name. */
export function uberField(folded: string): UberField | undefined {
	return FIELD_OF.get(folded);
}

/** The meaning of a path of money. A `branch` repeats what is below it. */
export type PathMeaning =
	| { readonly fee: FeeCategory }
	| { readonly notFee: NotFeeReason }
	| "branch"
	| "unknown";

type Place = {
	readonly meaning: PathMeaning;
	/** The meaning of everything further down, unless it is listed. */
	readonly below?: NotFeeReason;
	readonly children: ReadonlyMap<string, Place>;
};

type Listed = readonly [names: readonly string[], place: Place];

const children = (listed: readonly Listed[]) =>
	new Map(
		listed.flatMap(([names, place]) => names.map((name) => [foldHeading(name), place] as const)),
	);
const at = (meaning: PathMeaning, listed: readonly Listed[] = []): Place => ({
	meaning,
	children: children(listed),
});
const fee = (...names: readonly string[]) => ({
	as: (category: FeeCategory): Listed => [names, at({ fee: category })],
});
/** A path that isn't a fee; nor is anything unlisted below it. */
const never = (
	reason: NotFeeReason,
	names: readonly string[],
	listed: readonly Listed[] = [],
): Listed => [names, { ...at({ notFee: reason }, listed), below: reason }];
const branch = (names: readonly string[], listed: readonly Listed[]): Listed => [
	names,
	at("branch", listed),
];
const total = (names: readonly string[], listed: readonly Listed[]): Listed => [
	names,
	at({ notFee: "total" }, listed),
];

const SERVICE_FEE = fee(
	"Service fee",
	"Servicegebühr",
	"Opłata za usługę",
	"Taxa de serviço",
	"Taxă de servicii",
	"서비스이용료 (부가가치세 포함)",
).as("service_fee");

const TIP = never("tip", [
	"Tip",
	"Trinkgeld",
	"Napiwek",
	"Gratificação",
	"Extra (gratificación dada por el usuario)",
]);
const PROMOTIONS = never("promotion", ["Promotion", "Promotions", "Promoción"]);
const OTHER_EARNINGS = never("earning", [
	"Other earnings",
	"Outros rendimentos",
	"Otras ganancias",
]);
const OTHER_FEES = branch(["Other fees"], [fee("Platform fee").as("service_fee")]);
const EXPENSES = branch(
	["Expenses", "Gastos"],
	[
		fee("Instant Pay Fees", "Driver subscription charge", "Flex Pay fee").as("other"),
		never("toll", ["Toll adjustment", "Toll", "Peaje"]),
	],
);
const REFUNDS = branch(
	["Refunds", "Reembolsos", "Rückerstattungen"],
	[never("toll", ["Toll", "Portagem", "Peaje", "Flughafen-Parkgebühr"])],
);
const PAYOUTS = never(
	"payout",
	["Payouts", "Auszahlungen", "Wypłaty", "Pagamentos", "Pagos"],
	[
		never("cash", [
			"Cash collected",
			"Eingenommenes Bargeld",
			"Odebrana gotówka",
			"Dinheiro recebido",
			"Efectivo recibido",
			"현금 결제",
		]),
	],
);
const TAX = never("tax", [
	"Tax",
	"SSCL",
	"Income tax withholding",
	"TDS on promotions",
	"Podatek",
	"Tax on fare",
	"Steuer auf Fahrpreis",
	"Podatek od opłaty",
	"Imposto sobre a tarifa",
	"Retención del impuesto sobre la renta",
	"Retención de IVA",
	"Retención de impuestos",
	"IVA sobre tarifas/contribuciones",
]);
const TAXES = branch(
	["Taxes", "Steuern", "Podatki", "Impostos", "Impuestos", "Impuesto"],
	[
		fee(
			"Tax on Service Fee",
			"Steuer auf Servicegebühr",
			"Podatek od opłaty za usługę",
			"Impuesto sobre la tasa de servicio",
			"IVA sobre la tasa de servicio",
		).as("other"),
		TAX,
	],
);

/** Every known path; any other is shown and never counted. */
const ROOTS = children([
	total(
		[
			"Paid to you",
			"An dein Unternehmen gezahlt",
			"Wypłacono Ci",
			"Pago a si",
			"Recibes",
			"Câștiguri primite",
			"수익",
		],
		[
			total(
				[
					"Your earnings",
					"Deine Umsätze",
					"Twój przychód",
					"Os seus rendimentos",
					"Tus ganancias",
					"Câștigurile tale",
					"순수익",
				],
				[
					// Whatever is called a fee or an adjustment under the fare is part of the fare.
					never("fare", ["Fare", "Fahrpreis", "Opłata", "Tarifa", "Tarif"], [SERVICE_FEE]),
					SERVICE_FEE,
					TAXES,
					OTHER_FEES,
					TIP,
					PROMOTIONS,
					OTHER_EARNINGS,
				],
			),
			branch(
				["Trip balance", "Fahrtguthaben", "Bilans przejazdu", "Saldo da viagem", "Saldo de viajes"],
				[EXPENSES, REFUNDS, PAYOUTS, TAXES],
			),
		],
	),
	total(
		["Total earnings", "Revenus totaux"],
		[
			never("fare", ["Net fare", "Prix net de la course"]),
			TAXES,
			OTHER_FEES,
			TIP,
			PROMOTIONS,
			OTHER_EARNINGS,
		],
	),
	branch(["Refunds & Expenses"], [EXPENSES, REFUNDS, TAXES]),
	PAYOUTS,
	never("third-party", ["Paid to third parties"]),
	branch(["Paid to Uber"], [fee("Booking fee").as("booking_fee")]),
]);

/** Whether a folded name can only be the start of Uber's money columns. */
export function isUberMoney(folded: string): boolean {
	return ROOTS.has(folded.split(":", 1)[0] ?? "");
}

/** The meaning of a folded path with a known root. */
export function meaningOfPath(folded: string): PathMeaning {
	let places: ReadonlyMap<string, Place> = ROOTS;
	let place: Place | undefined;
	for (const part of folded.split(":")) {
		const next = places.get(part);
		if (!next) return place?.below ? { notFee: place.below } : "unknown";
		place = next;
		places = next.children;
	}
	return place?.meaning ?? "unknown";
}
