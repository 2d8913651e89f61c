/** What the screen of a week shows: its settlements, and first what to check about them. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import { QUESTION_LABELS } from "../../domain/messages/rules.ts";
import { displayName, shownDriverCode } from "../../domain/people/rules.ts";
import {
	selectChangedSince,
	selectCountedImports,
	selectLeftOutRows,
	selectUnfinished,
	selectWithoutAgreement,
} from "../../domain/settlements/checks.server.ts";
import { formatChosen } from "../../domain/settlements/input.ts";
import {
	countWeek,
	listVoided,
	listWeek,
	selectFirstDay,
} from "../../domain/settlements/queries.server.ts";
import { selectQuestions } from "../../domain/settlements/questions.server.ts";
import {
	MAX_VOIDED,
	PAGE_SIZE,
	STATUS_LABELS,
	STATUS_TONES,
} from "../../domain/settlements/rules.ts";
import {
	parseWeek,
	settlementCursors,
	settlementPath,
	weekPath,
} from "../../domain/settlements/search.ts";
import {
	lacksAgreement,
	type Settlement,
	toSettlement,
} from "../../domain/settlements/settlement.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { toViewer } from "../../ui/viewer.ts";
import { addDays, formatDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { pageLinks, positionParameter, toPage } from "../../values/cursor.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { toChecks, toQuestions } from "./checks.server.ts";
import { describeWeek, sumWeek } from "./totals.ts";

/** Everything the screen shows, in one trip to the database. */
export async function weekView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const { today, now } = args.context;
	const { day, position } = parseWeek(query, today);
	const isAllSelected = query.get("select") === "all";
	// A refused form's choice is kept.
	const chosen =
		args.context.method === "POST" ? (await args.context.form()).getAll("chosen").map(String) : [];
	const { reader, first, page, counts, voided, questions, ...checks } = await requireReader(
		args,
		({ build, me }) => ({
			first: selectFirstDay(build, day),
			// One extra row shows whether there is a next page.
			page: listWeek(build, PAGE_SIZE + 1, day, position),
			counts: countWeek(build, day),
			voided: listVoided(build, day),
			withoutAgreement: selectWithoutAgreement(build, day),
			leftOut: selectLeftOutRows(build, day),
			changed: selectChangedSince(build, day),
			imports: selectCountedImports(build, day),
			unfinished: selectUnfinished(build, day, me, now),
			questions: selectQuestions(build),
		}),
	);
	const from = first[0]?.first ?? day;
	const week = { from, to: addDays(from, 6) };
	const isOver = week.to < today;
	const shown = toPage(page, position, PAGE_SIZE, ({ settlement }) => settlement);
	const settlements = shown.rows.map(toSettlement);
	const rows = settlements.map((each) => toRow(each, isOver, { isAllSelected, chosen }));
	const nextWeek = addDays(from, 7);
	return {
		viewer: toViewer(reader),
		week: formatPeriod(week),
		from,
		earlier: weekPath(addDays(from, -7)),
		/** Absent if the next week hasn't begun. */
		later: nextWeek <= today ? weekPath(nextWeek) : undefined,
		hasBegun: from <= today,
		/** Its last day, while it isn't over. */
		overAfter: isOver ? undefined : formatDate(week.to),
		here: weekPath(from, position),
		position: positionParameter(position, settlementCursors.format),
		isAllSelected,
		rows,
		/** How many of the page can be published. */
		selectable: rows.filter(({ chosen: value }) => value !== undefined).length,
		selected: rows.filter(({ isChosen }) => isChosen).length,
		/** Whether anything on the page waits for a payout. */
		hasUnpaid: settlements.some(
			({ status, payableCents, payout }) =>
				status === "published" && payableCents > 0 && payout === null,
		),
		firstDraft: settlements.find(({ status }) => status === "draft")?.id,
		...describeWeek(counts, settlements.length),
		sums: sumWeek(settlements),
		pages: pageLinks(position, shown, (at) => weekPath(from, at)),
		checks: toChecks({ ...checks, mayImport: reader.role === "admin" }),
		questions: toQuestions(questions, reader.timeZone),
		/** Whether more are void than are listed. */
		hasMoreVoided: voided.length > MAX_VOIDED,
		voided: voided.slice(0, MAX_VOIDED).map(({ id, number, ...names }) => ({
			href: settlementPath(id),
			number: settlementNumber(number),
			name: displayName({ ...names, email: null }),
		})),
	};
}

type Choice = { readonly isAllSelected: boolean; readonly chosen: readonly string[] };

const idOf = (chosen: string) => chosen.split(":")[0];

/** A settlement's row of the table. */
function toRow(settlement: Settlement, isOver: boolean, { isAllSelected, chosen }: Choice) {
	const { id, driver, status, draft, payout, question } = settlement;
	const { carriedInCents, resultCents, payableCents } = settlement;
	const lacks = draft !== undefined && lacksAgreement(draft);
	const leftOut = draft?.rowsLeftOut ?? 0;
	const isSelectable = draft !== undefined && isOver && !lacks;
	const asChosen = chosen.find((each) => idOf(each) === id);
	const before = asChosen === undefined ? NaN : Number(asChosen.split(":")[1]);
	return {
		id,
		number: settlementNumber(settlement.number),
		href: settlementPath(id),
		driverId: settlement.driverId,
		name: displayName({ ...driver, email: null }),
		code: shownDriverCode(driver.driverNumber),
		status: STATUS_LABELS[status],
		tone: STATUS_TONES[status],
		carriedIn: carriedInCents === 0 ? "" : formatDollars(carriedInCents),
		result: formatDollars(resultCents),
		payable: formatDollars(payableCents),
		cents: payableCents,
		payout: payout && { id: payout.id, number: payoutNumber(payout.number) },
		/** What its box sends; absent if it can't be published. */
		chosen: isSelectable ? formatChosen(id, resultCents) : undefined,
		isChosen: isSelectable && (isAllSelected || asChosen !== undefined),
		notes: [
			...(question === "asked" ? [QUESTION_LABELS.asked] : []),
			...(lacks ? ["No agreement"] : []),
			...(leftOut > 0 ? [`${pluralize(leftOut, "row")} left out`] : []),
			// Chosen with another result, which was refused.
			...(Number.isInteger(before) && before !== resultCents
				? [`Was ${formatDollars(before)} when you chose it`]
				: []),
		],
	};
}

export type WeekData = Awaited<ReturnType<typeof weekView>>;
