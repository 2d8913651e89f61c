/**
 * The currency and the unit of distance of the fleet, and its words for both. A deployment has one
 * fleet, so they are the same for every request: the guard and the scheduled tasks set them from
 * the settings before anything is written with them, and a page's script from its document. Amounts
 * and distances are never converted.
 */

export const DISTANCE_UNITS = ["mi", "km"] as const;
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];
export type FleetUnits = {
	/** An ISO 4217 code. */
	readonly currency: string;
	readonly distanceUnit: DistanceUnit;
};

export const DEFAULT_UNITS: FleetUnits = { currency: "USD", distanceUnit: "mi" };

export const isDefaultUnits = ({ currency, distanceUnit }: FleetUnits): boolean =>
	currency === DEFAULT_UNITS.currency && distanceUnit === DEFAULT_UNITS.distanceUnit;

let units: FleetUnits = DEFAULT_UNITS;
let isKnown = false;

export const fleetUnits = (): FleetUnits => units;

/** Whether they have been set; until then they are the defaults. */
export const areUnitsKnown = (): boolean => isKnown;

export function setFleetUnits({ currency, distanceUnit }: FleetUnits): void {
	isKnown = true;
	if (units.currency === currency && units.distanceUnit === distanceUnit) return;
	units = { currency, distanceUnit };
}

const partOf = (currency: string, display: "symbol" | "name"): string =>
	new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay: display })
		.formatToParts(2)
		.find(({ type }) => type === "currency")?.value ?? currency;

/** `$`, `€`, and a code with a no-break space, `PLN `. */
function signOf(currency: string): string {
	const sign = partOf(currency, "symbol");
	return /^[A-Z]{3}$/.test(sign) ? `${sign}\u00a0` : sign;
}

let sign = { currency: DEFAULT_UNITS.currency, text: "$" };

/** What precedes the fleet's amounts. */
export function fleetSign(): string {
	const { currency } = units;
	if (sign.currency !== currency) sign = { currency, text: signOf(currency) };
	return sign.text;
}

/** The name in a sentence: `US dollars`, `euros`, `Polish zlotys`. */
export const namesOf = (currency: string): string => partOf(currency, "name");

type Words = Readonly<Record<string, string>>;

const KILOMETERS: Words = {
	mi: "km",
	mile: "kilometer",
	miles: "kilometers",
	Mile: "Kilometer",
	Miles: "Kilometers",
};

function moneyWords(currency: string): Words {
	const names = namesOf(currency);
	return {
		"US dollars": names,
		dollars: names,
		Dollars: names.replace(/^./, (first) => first.toUpperCase()),
	};
}

/** The words that change, kept with their units. */
let kept: { readonly units: FleetUnits; readonly words: Words } | undefined;

/**
 * One of our texts in the fleet's own units, given in dollars and miles: `Total Miles` is
 * `Total Kilometers` in a fleet with kilometers. Never for text that people typed.
 */
export function inUnits(text: string): string {
	if (isDefaultUnits(units)) return text;
	if (kept?.units !== units)
		kept = {
			units,
			words: {
				...(units.currency === DEFAULT_UNITS.currency ? {} : moneyWords(units.currency)),
				...(units.distanceUnit === DEFAULT_UNITS.distanceUnit ? {} : KILOMETERS),
			},
		};
	const { words } = kept;
	return text.replace(
		/\$(\d?)|\b(?:US dollars|[Dd]ollars|[Mm]iles?|mi)\b/g,
		(word, digit: string | undefined) => {
			if (digit === undefined) return words[word] ?? word;
			return digit === "" ? fleetSign().trimEnd() : fleetSign() + digit;
		},
	);
}
