/** What importing a fee statement would do, without writing anything. */
import { computeFingerprint } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused } from "../../values/outcome.ts";
import type { AdminContext } from "../context.ts";
import {
	type FeeKey,
	selectAliases,
	selectDrivers,
	selectDriversByCode,
	selectRecorded,
} from "../statements/comparison.server.ts";
import { foldHeading } from "../statements/heading.ts";
import {
	collectDrivers,
	collectReferences,
	missingColumns,
	type NamedDriver,
	type PlannedFee,
	parseCode,
	planImport,
	type RowOutcome,
} from "./plan.ts";
import {
	findSameStatement,
	listMatchableDrivers,
	listRecordedReferences,
} from "./queries.server.ts";
import { OTHER_FILES } from "./rules.ts";
import {
	guessMapping,
	type Mapping,
	mappingToFields,
	parseStatement,
	type Statement,
} from "./statement.ts";

export type UnreadableFile = Refused<"bad-file", { readonly message: string }>;

/** What an import would do, as far as can be told now. */
export type Preview = {
	readonly statement: Statement;
	readonly mapping: Mapping;
	/** Columns that have to be chosen before rows can be read. */
	readonly missing: readonly string[];
	readonly rows: readonly RowOutcome[];
	/** Rows whose fee was added by hand or from another file. */
	readonly possibleDuplicates: ReadonlySet<number>;
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
			possibleDuplicates: new Set(),
			earlier: undefined,
			payload,
			payloadHash,
		});
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
		recorded: new Set(recorded.map(({ reference }) => reference)),
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
		...{ earlier, payload, payloadHash },
	});
}

/** A fee as it is compared with recorded ones. */
export const toFeeKey = (fee: PlannedFee): FeeKey => [
	fee.driverId,
	fee.date,
	fee.category,
	fee.amountCents,
	0,
	fee.reference ?? null,
];

async function findPossibleDuplicates({ db }: AdminContext, rows: readonly RowOutcome[]) {
	const asked = rows.flatMap((row) =>
		row.fate === "add" ? [{ ...row.fee, row: row.number }] : [],
	);
	if (asked.length === 0) return new Set<number>();
	const { found } = await db.batch({
		found: selectRecorded(db.build, asked.map(toFeeKey)),
	});
	return new Set(found.flatMap(({ position }) => asked[position]?.row ?? []));
}

/** The cells, so that a different line ending doesn't make a different statement. */
const payloadOf = ({ head, rows }: Statement, mapping: Mapping) => [
	JSON.stringify([head, ...rows.map(({ cells }) => cells)]),
	JSON.stringify(mappingToFields(mapping)),
];
