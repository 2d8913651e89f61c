/** What the screen shows: a driver's published weeks, and the current one so far. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import { describePayment } from "../../domain/fund-requests/payment.ts";
import {
	QUESTION_LABELS,
	QUESTION_TONES,
	type QuestionState,
} from "../../domain/messages/rules.ts";
import { readDraft } from "../../domain/settlements/draft.ts";
import { selectWeekSoFar, type WeekSoFar } from "../../domain/settlements/own.server.ts";
import { listOwnWeeks } from "../../domain/settlements/own-list.server.ts";
import { STATUS_LABELS, STATUS_TONES } from "../../domain/settlements/rules.ts";
import { EARNINGS, earningsUrl, ownWeekCursors } from "../../domain/settlements/search.ts";
import { workOut } from "../../domain/settlements/settlement.ts";
import { type Place, type ShownSum, showLines } from "../../domain/settlements/shown.ts";
import type { Line } from "../../domain/settlements/week.ts";
import { describeWeek, settlementNumber } from "../../domain/statements/settlement-week.ts";
import { toViewer } from "../../ui/viewer.ts";
import { addDays } from "../../values/calendar-date.ts";
import { pageLinks, readPosition, toPage } from "../../values/cursor.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";

/** Their own question about a week. */
const QUESTIONS = {
	asked: { label: "Question sent", tone: QUESTION_TONES.asked },
	answered: { label: QUESTION_LABELS.answered, tone: QUESTION_TONES.answered },
} as const satisfies Record<QuestionState, unknown>;

/** Weeks on one page: a quarter of a year. */
const PAGE = 13;

const placeOf = ({ kind }: Line): Place | undefined =>
	kind === "miles" ? { href: "/history?range=week&type=mileage", words: "Trips" } : undefined;

/** The current week, unless nothing can be said yet. */
function showSoFar({ from, draft }: WeekSoFar) {
	const read = readDraft(draft, from);
	const { lines, carriedInCents, resultCents } = workOut(read);
	if (!read.facts.terms && lines.length === 0 && carriedInCents === 0) return undefined;
	const carried = { label: "Carried in from earlier weeks", amount: formatDollars(carriedInCents) };
	const sofar = { label: "So far", amount: formatDollars(resultCents), isTotal: true };
	const sums: ShownSum[] = [
		...(carriedInCents === 0 ? [] : [{ ...carried, isTotal: false }]),
		sofar,
	];
	return {
		week: formatPeriod(read.facts.week),
		hasAgreement: read.facts.terms !== undefined,
		lines: showLines(lines, placeOf),
		sums,
	};
}

/** Everything the screen shows, in one trip to the database. */
export async function earningsView(args: LoaderFunctionArgs) {
	const { today } = args.context;
	const position = readPosition(new URL(args.request.url).searchParams, ownWeekCursors.parse);
	const { driver, weeks, soFar } = await requireDriver(args, ({ build, me }) => ({
		weeks: listOwnWeeks(build, me, PAGE + 1, position),
		soFar: position ? undefined : selectWeekSoFar(build, me, today),
	}));
	const page = toPage(weeks, position, PAGE, ({ weekFrom }) => ({ weekFrom }));
	const [current] = soFar;
	return {
		viewer: toViewer(driver),
		isFirstPage: position === undefined,
		soFar: current && showSoFar(current),
		/** The week before, if it is still to be published. */
		open: current?.isLastOpen
			? formatPeriod({ from: addDays(current.from, -7), to: addDays(current.from, -1) })
			: undefined,
		weeks: page.rows.map(({ id, number, weekFrom, status, resultCents, question, payout }) => ({
			id,
			href: `${EARNINGS}/${id}`,
			week: describeWeek(weekFrom, today),
			number: settlementNumber(number),
			result: formatDollars(resultCents ?? 0),
			status: STATUS_LABELS[status],
			tone: STATUS_TONES[status],
			payment: describePayment(payout, today),
			question: question && QUESTIONS[question],
		})),
		pages: pageLinks(position, page, earningsUrl),
	};
}

export type EarningsData = Awaited<ReturnType<typeof earningsView>>;
