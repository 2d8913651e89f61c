/** Opens a statement: a new one, or a waiting one with the answers about it. */
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { firstEntryDate } from "../../values/date-input.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import type { AdminContext } from "../kernel/context.ts";
import { type AmbiguousDrivers, type Answers, answeredPeriod, mergeAnswers } from "./answers.ts";
import { recallColumns } from "./column-choices.server.ts";
import { mappingToFields, parseMapping } from "./columns.ts";
import { checkDrivers, type RememberRefusal } from "./commands/remember-drivers.server.ts";
import { identifierOf } from "./driver-matcher.server.ts";
import { isForeign } from "./file-currency.ts";
import { fileKey, readingKey, type Upload } from "./object-writer.server.ts";
import { type ReadRefusal, readFile, type StatementFacts } from "./reading.server.ts";
import type { ReadOptions } from "./statement.ts";
import { findWaiting, keepAnswers, keepWaiting, type WaitingStatement } from "./waiting.server.ts";

export type OpenRefusal =
	| ReadRefusal
	| RememberRefusal
	| AmbiguousDrivers
	| Refused<"too-large">
	| Refused<"lost", { readonly reason: string }>
	/** In a currency not the fleet's. */
	| Refused<"foreign", { readonly currency: string }>
	/** Sums of a period that isn't over yet, or that is too far back. */
	| Refused<"not-over", { readonly to: string }>
	| Refused<"too-old", { readonly to: string; readonly first: string }>;

/** The statement of an upload or an earlier one's id. */
export async function openStatement(
	admin: AdminContext,
	bucket: R2Bucket,
	source: Upload | { readonly kind: "waiting"; readonly id: string },
	answers: Partial<Answers>,
): Promise<Outcome<WaitingStatement, OpenRefusal>> {
	if (source.kind === "too-large") return refused("too-large");
	if (source.kind === "lost") return refused("lost", { reason: source.reason });
	const found =
		source.kind === "waiting"
			? await findWaiting(admin, source.id)
			: await readUpload(admin, bucket, source, answers);
	if (!found) return refused("expired");
	if ("ok" in found) return found;
	return withAnswers(admin, bucket, found, answers);
}

/** Reads an upload. A file that can't be imported isn't kept. */
async function readUpload(
	admin: AdminContext,
	bucket: R2Bucket,
	upload: Extract<Upload, { kind: "stored" }>,
	answers: Partial<Answers>,
): Promise<WaitingStatement | Extract<OpenRefusal, { ok: false }>> {
	const { id, fileName, contentTag } = upload;
	const read = await readFile(bucket, id, optionsFor(admin, upload, complete(answers)));
	const foreign = read.ok ? whyForeign(read.value) : undefined;
	if (read.ok && !foreign)
		return keepWaiting(admin, { id, fileName, contentTag, facts: read.value });
	await bucket.delete([fileKey(id), readingKey(id)]);
	return foreign ?? (read as Extract<ReadRefusal, { ok: false }>);
}

const whyForeign = ({ currency }: StatementFacts) =>
	isForeign(currency) ? refused("foreign", { currency }) : undefined;

const optionsFor = (
	{ db }: AdminContext,
	{ fileName, contentTag }: Pick<WaitingStatement, "fileName" | "contentTag">,
	answers: Answers,
): ReadOptions => ({
	...{ fileName, fileTag: contentTag, period: answeredPeriod(answers) },
	chosen: answers.columns && mappingOf(answers.columns),
	recall: (head) => recallColumns(db, head),
});

const mappingOf = (columns: Readonly<Record<string, string>>) =>
	parseMapping(new Map(Object.entries(columns)));

const complete = (answers: Partial<Answers>): Answers => ({
	drivers: {},
	overlap: false,
	...answers,
});

async function withAnswers(
	admin: AdminContext,
	bucket: R2Bucket,
	statement: WaitingStatement,
	later: Partial<Answers>,
): Promise<Outcome<WaitingStatement, OpenRefusal>> {
	const { id } = statement;
	const identify = identifierOf(statement.facts);
	const outcome = mergeAnswers(statement.answers, later, identify);
	if (!outcome.ok) return outcome;
	const merged = outcome.value;
	const asked = statement.facts.isPeriodAsked ? answeredPeriod(merged) : undefined;
	let { facts } = statement;
	// What may refuse the answers comes first: rereading the file replaces what waits.
	const impossible =
		whyForeign(facts) ?? whyNotThen({ ...facts, period: asked ?? facts.period }, admin.today);
	if (impossible) return impossible;
	const answers = { ...merged, drivers: byIdentity(merged.drivers, identify) };
	const matches = Object.entries(answers.drivers).map(([platformId, driverId]) => ({
		platformId,
		name: "",
		driverId,
	}));
	const checked = await checkDrivers(admin, facts.platform, matches);
	if (!checked.ok) return checked;
	if ((asked && !isSame(facts.period, asked)) || hasOtherColumns(facts, merged)) {
		const read = await readFile(bucket, id, optionsFor(admin, statement, merged));
		if (!read.ok) return read;
		const foreign = whyForeign(read.value);
		if (foreign) return foreign;
		facts = read.value;
	}
	const opened = { ...statement, answers, facts };
	if (Object.keys(later).length > 0 || facts !== statement.facts) await keepAnswers(admin, opened);
	return done(opened);
}

const isSame = (one: StatementFacts["period"], other: NonNullable<StatementFacts["period"]>) =>
	one?.from === other.from && one.to === other.to;

const byIdentity = (drivers: Answers["drivers"], identify: (key: string) => string) =>
	Object.fromEntries(Object.entries(drivers).map(([key, id]) => [identify(key), id]));

const hasOtherColumns = ({ columns }: StatementFacts, answers: Answers) =>
	columns !== undefined &&
	answers.columns !== undefined &&
	JSON.stringify(mappingToFields(columns.mapping)) !==
		JSON.stringify(mappingToFields(mappingOf(answers.columns)));

/** Why a period's sums can't be recorded today. */
function whyNotThen({ isByPeriod, period }: StatementFacts, today: CalendarDate) {
	if (!isByPeriod || !period) return undefined;
	const first = firstEntryDate(today);
	if (period.to >= today) return refused("not-over", { to: formatDate(period.to) });
	return period.to < first
		? refused("too-old", { to: formatDate(period.to), first: formatDate(first) })
		: undefined;
}
