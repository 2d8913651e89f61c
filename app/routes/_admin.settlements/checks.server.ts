/** What to check about a week, as sentences with a link each. */
import type { StatementResult } from "../../db/client.server.ts";
import { displayName, type Named as Person } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import {
	hasChanged,
	type LeftOutRows,
	type Named,
	type selectChangedSince,
	type selectCountedImports,
	type selectLeftOutRows,
	type selectUnfinished,
	type selectWithoutAgreement,
} from "../../domain/settlements/checks.server.ts";
import type { selectQuestions } from "../../domain/settlements/questions.server.ts";
import {
	MAX_IMPORTS,
	MAX_LISTED,
	MAX_LOOKED_AT,
	MAX_WITHOUT_AGREEMENT,
} from "../../domain/settlements/rules.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import { importPath } from "../../domain/statements/search.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import {
	type CountedImport,
	describeLeftOut,
	leavingOut,
	withoutCopy,
} from "../../domain/statements/unknown-drivers.ts";
import { addDays, formatMoment } from "../../values/calendar-date.ts";
import { formatPeriod } from "../../values/period.ts";

export type Check = {
	readonly key: string;
	readonly sentence: string;
	readonly href: string;
	/** What the link leads to. */
	readonly words: string;
	/** Whose or which it is, for a screen reader that reads only the links. */
	readonly about?: string;
};

type Read = {
	readonly withoutAgreement: StatementResult<ReturnType<typeof selectWithoutAgreement>>;
	readonly leftOut: StatementResult<ReturnType<typeof selectLeftOutRows>>;
	readonly changed: StatementResult<ReturnType<typeof selectChangedSince>>;
	readonly imports: StatementResult<ReturnType<typeof selectCountedImports>>;
	readonly unfinished: StatementResult<ReturnType<typeof selectUnfinished>>;
	/** Whether the reader may import a file. */
	readonly mayImport: boolean;
};
type Unfinished = Read["unfinished"][number];

/** Whether what was looked at is about a settlement of the week. */
const isOfWeek = <R extends { readonly [K in keyof Named]: unknown }>(row: R): row is R & Named =>
	row.id !== null;

const nameOf = (person: Person) => displayName({ ...person, email: null });

/** Numbers of rows in a sentence; the rest is counted. */
const SHOWN_ROWS = 5;
function describeRows({ rows, fileName, isUnproven, isCut }: LeftOutRows): string {
	const numbers = (JSON.parse(rows) as number[]).sort((one, other) => one - other);
	const shown = numbers.slice(0, SHOWN_ROWS).join(", ");
	const more = numbers.length - SHOWN_ROWS;
	const isOne = numbers.length === 1;
	const others = isCut ? " and more" : more > 0 ? ` and ${more} more` : "";
	const which = `${isOne ? "row" : "rows"} ${shown}${others} of ${fileName}`;
	return isUnproven
		? `${which} ${isOne ? "doesn't" : "don't"} add up to what the file states`
		: `the days of ${which} lie in two weeks`;
}

/**
 * A limited number of a kind; the last says if there are more.
 * @param unseen what to say if not all were looked at and none seen is of the week
 */
function cut(checks: readonly Check[], more: string, unseen: Check | false = false): Check[] {
	const [first] = checks;
	if (!first) return unseen ? [unseen] : [];
	if (checks.length <= MAX_LISTED && !unseen) return [...checks];
	const rest = {
		...first,
		key: `${first.key} more`,
		sentence: more,
		words: "Start with the first",
	};
	return [...checks.slice(0, MAX_LISTED), rest];
}

const isSameFile = (made: CountedImport, { fileName }: Unfinished) =>
	withoutCopy(made.fileName) === withoutCopy(fileName);

/** What waits and wasn't imported since, unless a file that left drivers out leads to it. */
function stillWaiting({ imports, unfinished }: Read): Unfinished[] {
	const isDone = (file: Unfinished) =>
		imports.some((made) => isSameFile(made, file) && made.createdAt >= file.createdAt);
	const asked = leavingOut(imports);
	return unfinished.filter(
		(file) => !isDone(file) && !asked.some((made) => isSameFile(made, file)),
	);
}

const waitingPath = (id: string) => `/uber-fees/import?statement=${id}`;

/** Files whose unknown drivers were left out; while one waits, its preview asks for them. */
function toUnknownDrivers({ imports, unfinished, mayImport }: Read): Check[] {
	const checks = leavingOut(imports.slice(0, MAX_IMPORTS)).map((made) => {
		const waiting = unfinished.findLast((file) => isSameFile(made, file));
		const link = waiting
			? { href: waitingPath(waiting.id), words: "Match the drivers" }
			: mayImport
				? { href: "/uber-fees/import", words: "Import it again" }
				: { href: importPath(made), words: "Open the import" };
		return {
			key: `unknown ${made.id}`,
			about: made.fileName,
			sentence: `${made.fileName} left out ${describeLeftOut(made)}, whose money isn't counted in any settlement.`,
			...link,
		};
	});
	const more = {
		key: "imports more",
		sentence: `More than ${MAX_IMPORTS} files of the week were imported, and ${MAX_IMPORTS} of them were checked for unknown drivers.`,
		href: "/uber-fees/import",
		words: "Open the imports",
	};
	return [
		...cut(checks, "More files left out unknown drivers."),
		...(imports.length > MAX_IMPORTS ? [more] : []),
	];
}

/** Unanswered questions of drivers, of any week, oldest settlement first. */
export const toQuestions = (
	waiting: StatementResult<ReturnType<typeof selectQuestions>>,
	timeZone: string,
) => ({
	isCut: waiting.length > MAX_LISTED,
	shown: waiting.slice(0, MAX_LISTED).map((row) => ({
		id: row.id,
		name: nameOf(row),
		about: `${settlementNumber(row.number)}, ${formatPeriod({ from: row.weekFrom, to: addDays(row.weekFrom, 6) })}`,
		when: formatMoment(timeZone, row.askedAt),
		text: row.text,
		href: `${settlementPath(row.id)}#messages`,
	})),
});

function toWithoutAgreement({ withoutAgreement }: Read): Check[] {
	const found = withoutAgreement.filter(isOfWeek);
	const looked = `Only ${MAX_WITHOUT_AGREEMENT} of the drafts without an agreement were checked for money`;
	return cut(
		found.map((row) => ({
			key: `agreement ${row.id}`,
			about: nameOf(row),
			sentence: `${nameOf(row)}: money came in, but no agreement covers the week, so it can't be published.`,
			href: `${driverPath(row.driverId)}#agreement`,
			words: "Open their agreements",
		})),
		found.length > MAX_LISTED ? "More drivers have money and no agreement." : `${looked}.`,
		withoutAgreement.some(({ isCut }) => isCut === 1) && {
			key: "agreements more",
			sentence: `${looked}. None of them has any.`,
			href: "#settlements",
			words: "Go to the drivers",
		},
	);
}

function toChanged({ changed }: Read): Check[] {
	const found = changed.filter(hasChanged).filter(isOfWeek);
	const looked = `Only ${changed.length} of the drivers whose books changed were checked`;
	return cut(
		found.map((row) => ({
			key: `changed ${row.id}`,
			about: nameOf(row),
			sentence: `${nameOf(row)}: the books of this week changed after it was published. A difference becomes a correction in the driver's next settlement.`,
			href: settlementPath(row.id),
			words: "Open the settlement",
		})),
		found.length > MAX_LISTED ? "The books of more settlements changed." : `${looked}.`,
		changed.some(({ isCut }) => isCut === 1) && {
			key: "changed more",
			sentence: `${looked}. None of their settlements for this week has changed.`,
			href: "/audit",
			words: "Open the audit",
		},
	);
}

/** First what prevents publishing, then what is left out, then what was corrected later. */
export const toChecks = (read: Read): Check[] => [
	...toWithoutAgreement(read),
	...toUnknownDrivers(read),
	...stillWaiting(read).map(({ id, fileName }) => ({
		key: `waiting ${id}`,
		about: fileName,
		sentence: `${fileName} is waiting in preview. Nothing in it is counted until it's imported.`,
		href: waitingPath(id),
		words: "Open the preview",
	})),
	...cut(
		read.leftOut.filter(isOfWeek).map((row) => ({
			key: `rows ${row.id} ${row.importId} ${row.isUnproven}`,
			about: row.fileName,
			sentence: `${nameOf(row)}: ${describeRows(row)}, so ${row.rows.includes(",") ? "they're" : "it's"} left out.`,
			href: importPath({ id: row.importId, createdAt: row.importedAt }),
			words: "Open the import",
		})),
		"More rows are left out.",
		read.leftOut.some(({ isCut }) => isCut === 1) && {
			key: "rows more",
			sentence: `Of the rows that are left out, ${MAX_LOOKED_AT} were checked, none of a driver with a settlement this week.`,
			href: "/uber-fees/import",
			words: "Open the imports",
		},
	),
	...toChanged(read),
];
