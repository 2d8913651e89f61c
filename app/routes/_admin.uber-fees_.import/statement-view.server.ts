/** A platform's statement as this screen shows it, with all texts. */
import type { AdminContext } from "../../domain/kernel/context.ts";
import { selectNamesakes, selectPersonChoices } from "../../domain/people/choice.server.ts";
import { toPersonChoice } from "../../domain/people/choice.ts";
import { nameWithCode } from "../../domain/people/rules.ts";
import { COLUMN_LABELS, mappingToFields, missingColumns } from "../../domain/statements/columns.ts";
import { selectDrivers } from "../../domain/statements/comparison.server.ts";
import { leftOutText } from "../../domain/statements/left-out-words.ts";
import {
	type FeeState,
	type Plan,
	type PlannedFee,
	recordedMark,
} from "../../domain/statements/plan.ts";
import { PLATFORM_NAMES } from "../../domain/statements/platforms.ts";
import { describeNeeds } from "../../domain/statements/refusals.ts";
import type { NotFeeReason } from "../../domain/statements/statement.ts";
import { type UnknownDriver, unknownDriversOf } from "../../domain/statements/unknown-drivers.ts";
import type { WaitingStatement } from "../../domain/statements/waiting.server.ts";
import { categoryText } from "../../domain/uber-fees/rules.ts";
import { formatDate, formatMonth, parseCalendarDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { fleetUnits, namesOf } from "../../values/fleet-units.ts";
import { fold } from "../../values/fold.ts";
import { formatDollars as money } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { MAX_DRIVERS_ASKED, type TypedAnswers } from "./typed-answers.server.ts";

const NOBODY_ASKED = { id: "", text: "", answered: "" };
/** How many rows of a table are shown; the rest is counted. */
const SHOWN = 100;
const NOT_FEE_WORDS: Readonly<Record<NotFeeReason, string>> = {
	total: "A total of other columns",
	branch: "A total of other columns",
	fare: "Part of the fare",
	earning: "Earnings",
	tip: "Tips",
	promotion: "Promotions",
	toll: "Tolls",
	"third-party": "Third-party charges, such as airport fees",
	cash: "Cash collected",
	payout: "Money paid out",
	tax: "Taxes",
	discount: "Already included in the commission",
	rate: "An average",
};

const STATES: Readonly<Record<FeeState, readonly ["good" | "quiet" | "wait", string]>> = {
	ready: ["good", "Will be added"],
	imported: ["good", "Added"],
	"imported-before": ["quiet", "Already imported"],
	"no-driver": ["wait", "Unknown driver"],
	changed: ["wait", "Another amount"],
};

const recordedSum = (fees: readonly PlannedFee[]) =>
	fees.reduce((sum, { correction }) => sum + (correction?.recordedCents ?? 0), 0);
const sumOf = (fees: readonly PlannedFee[]) => fees.reduce((sum, { cents }) => sum + cents, 0);
const toFees = (fees: readonly PlannedFee[]) =>
	`${pluralize(fees.length, "fee")}, ${money(sumOf(fees))}`;
const toRecorded = (fees: readonly PlannedFee[]) =>
	`${pluralize(fees.length, "recorded fee")}, ${money(recordedSum(fees))}`;

/** What the file has about an unmatched driver. */
const toAsked = ({ identity, platformId, name, fees, due }: UnknownDriver) => ({
	...{ identity, platformId, name },
	has: fees.length > 0 ? toFees(fees) : `${money(due?.cents ?? 0)} due`,
});

/**
 * What the screen shows of a statement.
 * @param typed the answers of a refused form, shown again instead of the stored ones
 */
export async function toStatementView(
	{ db }: AdminContext,
	waiting: WaitingStatement,
	plan: Plan,
	typed?: TypedAnswers,
) {
	const { id, fileName, facts, answers } = waiting;
	const asked = unknownDriversOf(plan).map(toAsked);
	const due = plan.money?.unmatched ?? [];
	const shown = asked.slice(0, MAX_DRIVERS_ASKED);
	const typedIds = typed?.drivers.flatMap((each) => each.id || []) ?? [];
	const { people, namesakes, chosen } = await db.batch({
		people: selectPersonChoices(db.build, "approvedDrivers", NOBODY_ASKED),
		namesakes: selectNamesakes(
			db.build,
			shown.map(({ name }) => fold(name)),
		),
		chosen: typedIds.length > 0 ? selectDrivers(db.build, typedIds) : undefined,
	});
	const choice = toPersonChoice(people, NOBODY_ASKED);
	const byName = new Map(namesakes.map((row) => [row.name, row]));
	const of = (state: FeeState) => plan.fees.filter((fee) => fee.state === state);
	const [ready, before, unknown] = [of("ready"), of("imported-before"), of("no-driver")];
	const differing = of("changed");
	const changed = differing.filter(({ isMissing }) => !isMissing);
	const missing = differing.filter(({ isMissing }) => isMissing);
	const isReplacing = answers.changed === "replace";
	const added = isReplacing ? [...ready, ...changed] : ready;
	const names = new Map<string, number>();
	for (const { name } of asked) names.set(name, (names.get(name) ?? 0) + 1);
	const words = describeNeeds(plan);
	const unchosen = facts.columns ? missingColumns(facts.columns) : [];
	return {
		id,
		/** The answers are about what is recorded now. */
		seen: await recordedMark(plan),
		fileName,
		title: facts.columns ? "Fee statement" : `${PLATFORM_NAMES[facts.platform]} statement`,
		period: plan.period && formatPeriod(plan.period),
		summary: [
			ready.length === 0
				? "No fees are ready to import."
				: `${toFees(ready)}, ${ready.length === 1 ? "is" : "are"} ready.`,
			...(unknown.length > 0 ? [`${toFees(unknown)}, for drivers who aren't matched yet.`] : []),
			...(due.length > 0
				? [
						`${money(due.reduce((sum, { cents }) => sum + cents, 0))} due to drivers who aren't matched yet.`,
					]
				: []),
			...(changed.length > 0
				? [
						`${toFees(changed)}, ${changed.length === 1 ? "is" : "are"} recorded as ${money(recordedSum(changed))}.`,
					]
				: []),
			...(missing.length > 0 ? [`${toRecorded(missing)}, not in this statement.`] : []),
			...(before.length > 0 ? [`${toFees(before)}, already imported.`] : []),
			...(plan.money
				? [
						`This statement also has fares of ${money(plan.money.totals.fare)}, tips of ${money(plan.money.totals.tip)}, tolls of ${money(plan.money.totals.toll)} and cash of ${money(plan.money.totals.cash)}. They add up in ${plan.money.proven} of ${pluralize(plan.money.rows, "row")}.`,
						...plan.money.unproven
							.slice(0, SHOWN)
							.map(
								({ row, stated, found }) =>
									`Row ${row} doesn't add up: ${stated === null ? "no total that can be read" : `${money(stated)} stated`}, ${found === null ? "an amount that can't be read" : `${money(found)} found`}.`,
							),
					]
				: []),
			...(facts.currency === null
				? [
						`It doesn't clearly name a currency, so its amounts count as ${namesOf(fleetUnits().currency)}.`,
					]
				: []),
			...(plan.leftOut.length > 0 ? [`${pluralize(plan.leftOut.length, "row")} left out.`] : []),
			...(plan.netted.length > 0
				? [`${pluralize(plan.netted.length, "charge was", "charges were")} refunded in full.`]
				: []),
		],
		isAllCommission: facts.isAllCommission,
		/** How dates that could be read two ways were read. */
		months: facts.months?.length
			? `The month is taken to come first in its dates: ${facts.months.map(monthName).join(", ")}.`
			: undefined,
		chosenColumns: facts.columns && {
			unrecognized: facts.columns.unrecognized,
			head: facts.columns.head.map((name, at, names) => {
				if (name === "") return `Column ${at + 1}`;
				const isAlone = names.indexOf(name) === names.lastIndexOf(name);
				return isAlone ? name : `${name} (column ${at + 1})`;
			}),
			fields: typed?.columns ?? mappingToFields(facts.columns.mapping),
			missing: unchosen.map((column) => `Select a column for ${COLUMN_LABELS[column]}`),
		},
		/** Why there is no form. */
		nothingLeft:
			ready.length + asked.length + differing.length + (plan.money?.ready ?? 0) > 0 ||
			plan.money?.changed.length
				? undefined
				: before.length > 0 || plan.money?.before
					? "Everything in this statement has already been imported."
					: unchosen.length > 0
						? "Its fees can be read once you've selected their columns."
						: "This statement has no fees to import.",
		button:
			added.length > 0
				? `Import ${pluralize(added.length, "fee")}`
				: isReplacing && missing.length > 0
					? `Remove ${pluralize(missing.length, "fee")}`
					: plan.money?.ready
						? "Import drivers' money"
						: "Import ready fees",
		/** How many fees are recorded with other amounts, and what happens to them. */
		changed:
			plan.money?.changed.length && differing.length === 0
				? {
						words: plan.money.changed.some(({ row }) => row === null)
							? "Some of the drivers' money that is recorded has different amounts in this statement, or isn't in it."
							: "Some of the drivers' money is recorded with different amounts than in this statement.",
						answer: typed?.changed ?? answers.changed ?? "",
					}
				: differing.length > 0
					? {
							words: [
								...(changed.length > 0
									? [
											`${pluralize(changed.length, "fee is", "fees are")} recorded with a different amount than in this statement: ${money(recordedSum(changed))} instead of ${money(sumOf(changed))}.`,
										]
									: []),
								...(missing.length > 0
									? [
											`${toRecorded(missing)}, ${missing.length === 1 ? "was" : "were"} in an earlier download of this statement and ${missing.length === 1 ? "isn't" : "aren't"} in this one: replacing removes ${missing.length === 1 ? "it" : "them"}.`,
										]
									: []),
							].join(" "),
							answer: typed?.changed ?? answers.changed ?? "",
						}
					: undefined,
		asksPeriod: facts.isPeriodAsked
			? { from: typed?.from ?? answers.from ?? "", to: typed?.to ?? answers.to ?? "" }
			: undefined,
		overlap:
			plan.needs.includes("overlap") || answers.overlap
				? {
						words: words[plan.needs.indexOf("overlap")] ?? "",
						isConfirmed: typed?.overlap ?? answers.overlap,
					}
				: undefined,
		unproven: plan.money?.isUnstated
			? {
					words:
						"It states no total of all its amounts, so nothing shows whether the drivers' money in it adds up.",
					isConfirmed: typed?.unproven ?? answers.unproven === true,
				}
			: undefined,
		drivers: shown.map((each) => {
			const said = typed?.drivers.find(({ identity }) => identity === each.identity);
			/** Suggests the only driver with that name: no one is matched by name alone. */
			const driver = said
				? chosen.find((person) => person.id === said.id)
				: names.get(each.name) === 1
					? byName.get(fold(each.name))
					: undefined;
			return {
				...each,
				suggested: driver?.id ?? "",
				suggestedLabel: driver ? nameWithCode(driver) : said?.id ? "" : (said?.text ?? ""),
			};
		}),
		moreDrivers: Math.max(0, asked.length - MAX_DRIVERS_ASKED),
		people: choice.isSearch
			? undefined
			: choice.people.map(({ id: personId, label }) => ({ id: personId, label })),
		fees: plan.fees.slice(0, SHOWN).map((fee, position) => ({
			key: String(position),
			there: fee.name || fee.platformId,
			place: [fee.row && `Row ${fee.row}`, fee.reference].filter(Boolean).join(" · "),
			driverId: fee.driver?.id,
			driver: fee.driver ? nameWithCode(fee.driver) : "-",
			isInactive: fee.driver?.isActive === 0,
			date: fee.date ? formatDate(fee.date) : "-",
			category: categoryText(fee.category),
			amount: fee.isMissing ? "None" : money(fee.cents),
			recorded: fee.correction && money(fee.correction.recordedCents),
			isCredit: fee.cents < 0,
			doubt: fee.doubt,
			tone: STATES[fee.state][0],
			state:
				fee.isMissing && fee.state === "changed" ? "Not in this statement" : STATES[fee.state][1],
		})),
		moreFees: Math.max(0, plan.fees.length - SHOWN),
		columns: [
			...facts.feeColumns.map(({ name, category }) => ({
				name,
				becomes:
					category === "rest"
						? "The remainder: booking fee or other"
						: `Fee: ${categoryText(category)}`,
				isFee: true,
			})),
			...facts.unknownColumns.map(({ name, cents }) => ({
				name,
				becomes: `Unknown, not added: ${money(cents)}`,
				isFee: false,
			})),
			...facts.notFeeColumns.map(({ name, reason }) => ({
				name,
				becomes: `Not a fee: ${NOT_FEE_WORDS[reason]}`,
				isFee: false,
			})),
		],
		leftOut: plan.leftOut.slice(0, SHOWN).map(({ row, reason, cents, why }) => ({
			row,
			why: leftOutText({ reason, why }),
			amount: cents ? money(cents) : "-",
		})),
		moreLeftOut: Math.max(0, plan.leftOut.length - SHOWN),
		hasLeftOut: plan.leftOut.length > 0 || asked.length > 0 || changed.length > 0,
	};
}
/** `September 2026` from `2026-09`. */
const monthName = (month: string) =>
	`${formatMonth(parseCalendarDate(`${month}-01`))} ${month.slice(0, 4)}`;
export type StatementView = Awaited<ReturnType<typeof toStatementView>>;
