/** What the platforms' statements say of a driver's week, in words, for its page and its PDF. */
import { formatDay } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import { MONEY_KINDS, type MoneyKind } from "../statements/money.ts";
import { platformLabel } from "../statements/platforms.ts";
import type { OwnMoney } from "./own.server.ts";

const MONEY_LABELS: Readonly<Record<MoneyKind, string>> = {
	fare: "Fares",
	fee: "Platform fees",
	tip: "Tips",
	promotion: "Promotions",
	other_earning: "Other earnings",
	toll: "Tolls and refunds",
	tax: "Taxes",
	third_party: "Paid to third parties",
	cash: "Cash collected",
	transfer: "Sent to the driver by the platform",
};

const totalOf = (row: OwnMoney) => MONEY_KINDS.reduce((sum, kind) => sum + row[kind], 0);

/** One platform's amounts of a week, and whether they are its statement's. */
export type StatementTotals = {
	readonly platform: string;
	/** Amounts other than 0, in the order of the kinds. */
	readonly amounts: readonly { readonly label: string; readonly cents: number }[];
	readonly totalCents: number;
	/** `Adds up to Uber's own total in 7 of 7 rows.` */
	readonly proof: string;
	/** Each of its days or periods, where there are several. */
	readonly days: readonly { readonly label: string; readonly words: string }[];
};

/** `Fares $120.00, Platform fees -$30.00` */
const wordsOf = (row: OwnMoney) =>
	MONEY_KINDS.flatMap((kind) =>
		row[kind] === 0 ? [] : [`${MONEY_LABELS[kind]} ${formatDollars(row[kind])}`],
	).join(", ");

function proofOf(platform: string, rows: readonly OwnMoney[]): string {
	const sum = (name: "found" | "leftOut" | "proven") =>
		rows.reduce((total, row) => total + row[name], 0);
	const [found, leftOut, proven] = [sum("found"), sum("leftOut"), sum("proven")];
	const stated =
		proven > 0
			? `Adds up to ${platform}'s own total in ${proven} of ${pluralize(found, "row")}.`
			: `${platform}'s statement has no total of its own to compare.`;
	return leftOut === 0
		? stated
		: `${stated} Left out: ${pluralize(leftOut, "row")} that can't be proven or that lie in two weeks.`;
}

/** @param rows by platform, and within one by day */
export function statementTotals(rows: readonly OwnMoney[]): StatementTotals[] {
	return [...new Set(rows.map(({ platform }) => platform))].map((name) => {
		const own = rows.filter(({ platform }) => platform === name);
		const platform = platformLabel(name);
		const amounts = MONEY_KINDS.map((kind) => ({
			label: MONEY_LABELS[kind],
			cents: own.reduce((sum, row) => sum + row[kind], 0),
		}));
		return {
			platform,
			amounts: amounts.filter(({ cents }) => cents !== 0),
			totalCents: own.reduce((sum, row) => sum + totalOf(row), 0),
			proof: proofOf(platform, own),
			days:
				own.length === 1
					? []
					: own.map((row) => ({
							label:
								row.from === row.to
									? formatDay(row.from)
									: `${formatDay(row.from)} to ${formatDay(row.to)}`,
							words: wordsOf(row) || "Nothing that counts",
						})),
		};
	});
}
