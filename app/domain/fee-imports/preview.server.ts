/** What importing a fee statement would do, without writing anything. */
import { computeFingerprint } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import type { AdminContext } from "../kernel/context.ts";
import {
	type FeeKey,
	selectAliases,
	selectDrivers,
	selectDriversByCode,
	selectRecorded,
} from "../statements/comparison.server.ts";
import { contradictionText, decideDates } from "../statements/date-orders.ts";
import { foldHeading } from "../statements/heading.ts";
import { type NamedDriver, parseCode } from "./driver-finder.ts";
import { collectDrivers, collectReferences, missingColumns, planImport } from "./plan.ts";
import {
	findSameStatement,
	listMatchableDrivers,
	listRecordedReferences,
} from "./queries.server.ts";
import type { PlannedFee, RowOutcome } from "./row-outcome.ts";
import { OTHER_FILES } from "./rules.ts";
import {
	guessMapping,
	type Mapping,
	mappingToFields,
	parseStatement,
	type Statement,
} from "./statement.ts";

export type UnreadableFile =
	| Refused<"bad-file", { readonly message: string }>
	/** Of two dates, one has the day first and the other the month. */
	| Refused<"contradictory-dates", { readonly message: string }>;

/** What an import would do, as far as can be told now. */
export type Preview = {
	readonly statement: Statement;
	readonly mapping: Mapping;
	/** Columns that have to be chosen before rows can be read. */
	readonly missing: readonly string[];
	readonly rows: readonly RowOutcome[];
	/** Rows whose fee may be recorded already, and why. */
	readonly possibleDuplicates: ReadonlyMap<number, string>;
	/** The months of its dates, if nothing tells whether the day or the month comes first. */
	readonly months: readonly string[];
	/** The same statement was imported before, and that wasn't undone. */
	readonly earlier: { readonly createdAt: number; readonly by: string } | undefined;
	/** What identifies a statement, and its fingerprint. */
	readonly payload: readonly string[];
	readonly payloadHash: string;
};

/**
 * Parses a statement and says what happens to each row, without writing anything.
 * @param chosen the column of each value; by default what the headings suggest
 * @param driverIds chosen users, by the statement's names for them
 */
export async function previewImport(
	admin: AdminContext,
	text: string,
	chosen: Mapping | undefined,
	driverIds: Readonly<Record<string, string>> = {},
): Promise<Outcome<Preview, UnreadableFile>> {
	const read = parseStatement(text);
	if (!read.ok) return read;
	const statement = read.value;
	const mapping = chosen ?? guessMapping(statement.head);
	const payload = payloadOf(statement, mapping);
	const payloadHash = await computeFingerprint(payload);
	const width = Math.max(
		...[statement.head, ...statement.rows.map(({ cells }) => cells)].map(({ length }) => length),
	);
	const missing = missingColumns(mapping, width);
	if (missing.length > 0)
		return done({
			statement,
			mapping,
			missing,
			rows: [],
			possibleDuplicates: new Map(),
			months: [],
			earlier: undefined,
			payload,
			payloadHash,
		});
	const dates = datesOf(statement, mapping);
	if (dates.kind === "contradiction")
		return refused("contradictory-dates", { message: contradictionText(dates.cells) });
	const { db, now, today } = admin;
	const texts = [...new Set(collectDrivers(statement, mapping))];
	const names = [...new Set(texts.map(foldHeading))];
	const codes = [...new Set(texts.flatMap((text) => parseCode(text) ?? []))];
	const { drivers, coded, recorded, same, remembered, people } = await db.batch({
		drivers: listMatchableDrivers(db.build),
		coded: codes.length > 0 ? selectDriversByCode(db.build, codes) : undefined,
		recorded: listRecordedReferences(db.build, collectReferences(statement, mapping)),
		same: findSameStatement(db.build, payloadHash, now),
		remembered: selectAliases(db.build, OTHER_FILES, names),
		people: selectDrivers(db.build, [...new Set(Object.values(driverIds))]),
	});
	const byId = new Map(people.map((person) => [person.id, person]));
	const known = new Map<string, NamedDriver>(
		remembered.map((person) => [person.platformId, person]),
	);
	for (const [name, id] of Object.entries(driverIds)) {
		const person = byId.get(id);
		if (person) known.set(foldHeading(name), person);
	}
	const rows = planImport(statement, mapping, {
		drivers,
		coded,
		recorded,
		orders: dates.orders,
		chosen: known,
		today,
	});
	const earlier = same[0] && {
		createdAt: same[0].import.createdAt,
		by: `${same[0].firstName} ${same[0].lastName}`,
	};
	const possibleDuplicates = await findPossibleDuplicates(admin, rows);
	return done({
		...{ statement, mapping, missing, rows, possibleDuplicates },
		months: dates.isUndecided ? dates.months : [],
		...{ earlier, payload, payloadHash },
	});
}

/** A fee as it is compared with recorded ones. */
export const toFeeKey = (fee: PlannedFee): FeeKey => [
	fee.driverId,
	fee.date,
	fee.category,
	fee.amountCents,
	fee.isCredit ? 1 : 0,
	fee.reference ?? null,
];

async function findPossibleDuplicates({ db }: AdminContext, rows: readonly RowOutcome[]) {
	const asked = rows.flatMap((row) =>
		row.fate === "add" ? [{ ...row.fee, row: row.number }] : [],
	);
	const doubts = new Map<number, string>();
	if (asked.length === 0) return doubts;
	const { found } = await db.batch({
		found: selectRecorded(db.build, asked.map(toFeeKey)),
	});
	for (const { position } of found)
		doubts.set(asked[position]?.row ?? 0, "The same fee was added before");
	for (const row of rows)
		if (row.fate === "add" && row.doubt !== undefined) doubts.set(row.number, row.doubt);
	return doubts;
}

/** How the dates of a file are written. */
function datesOf({ rows, separator }: Statement, { date = -1, amount = -1 }: Mapping) {
	const isDecimalComma =
		separator === ";" && rows.some(({ cells }) => /\d,\d{1,2}\D*$/.test(cells[amount] ?? ""));
	return decideDates(
		rows.map(({ cells }) => cells[date] ?? ""),
		isDecimalComma,
	);
}

/** The cells, so that a different line ending doesn't make a different statement. */
const payloadOf = ({ head, rows }: Statement, mapping: Mapping) => [
	JSON.stringify([head, ...rows.map(({ cells }) => cells)]),
	JSON.stringify(mappingToFields(mapping)),
];
