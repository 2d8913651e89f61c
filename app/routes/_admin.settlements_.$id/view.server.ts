/** What the page of one settlement shows: its lines, where they came from, and its actions. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import type { StatementResult } from "../../db/client.server.ts";
import { reportPath } from "../../domain/analytics/search.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import { describeThread } from "../../domain/messages/rules.ts";
import { displayName, shownDriverCode } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import {
	findSettlement,
	selectBeside,
	selectCorrected,
	selectHistory,
} from "../../domain/settlements/queries.server.ts";
import { STATUS_LABELS, STATUS_TONES } from "../../domain/settlements/rules.ts";
import { DIALOGS, settlementPath, weekPath } from "../../domain/settlements/search.ts";
import {
	lacksAgreement,
	type Settlement,
	toSettlement,
} from "../../domain/settlements/settlement.ts";
import { type Place, showLines, showSums } from "../../domain/settlements/shown.ts";
import { selectSourceRows } from "../../domain/settlements/sources.server.ts";
import type { Line } from "../../domain/settlements/week.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { refusal } from "../../http/refusal.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatDate, formatMoment } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { toRows } from "./rows.server.ts";

/** Everything the page shows, in one trip to the database. */
export async function settlementView(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const asked = new URL(args.request.url).searchParams.get("dialog");
	const { reader, found, next, previous, corrected, history, sources } = await requireReader(
		args,
		({ build }) => ({
			found: findSettlement(build, id),
			next: selectBeside(build, id, "next"),
			previous: selectBeside(build, id, "previous"),
			corrected: selectCorrected(build, id),
			history: selectHistory(build, id),
			sources: selectSourceRows(build, id),
		}),
	);
	const [row] = found;
	if (!row) throw refusal({ kind: "not-found" }, 404);
	const settlement = toSettlement(row);
	const { status, week, driver, draft, payout, driverId } = settlement;
	const rows = toRows(sources, week);
	const isOver = week.to < reader.today;
	const lacks = draft !== undefined && lacksAgreement(draft);
	const mayBe = {
		publish: status === "draft" && isOver && !lacks,
		void: (status === "draft" || status === "published") && payout === null,
	};
	const name = displayName({ ...driver, email: null });
	return {
		viewer: toViewer(reader),
		id,
		number: settlementNumber(settlement.number),
		name,
		code: shownDriverCode(driver.driverNumber),
		driverPath: driverPath(driverId),
		week: formatPeriod(week),
		weekPath: `${weekPath(week.from)}#settlement-${id}`,
		status,
		statusLabel: STATUS_LABELS[status],
		/** The PDF that its driver gets. */
		pdf:
			status === "published" || status === "paid"
				? `${settlementPath(settlement.id)}.pdf`
				: undefined,
		tone: STATUS_TONES[status],
		payout: payout && { href: `/payouts/${payout.id}`, number: payoutNumber(payout.number) },
		lines: showLines(settlement.lines, placesOf(settlement, corrected, rows.shown.length > 0)),
		sums: showSums(settlement),
		/** As a form sends it back. */
		resultCents: settlement.resultCents,
		payable: formatDollars(settlement.payableCents),
		carriedOut: settlement.carriedOutCents === 0 ? "" : formatDollars(settlement.carriedOutCents),
		warnings: [
			...(status === "draft" && !isOver
				? [
						`The week isn't over until the end of ${formatDate(week.to)}. Until then this can be checked, but not published.`,
					]
				: []),
			...(lacks
				? ["Money came in, but no agreement covers the week, so this can't be published."]
				: []),
			...(draft && draft.rowsLeftOut > 0
				? [
						`${pluralize(draft.rowsLeftOut, "statement row is", "statement rows are")} left out. See 'Statement rows' below.`,
					]
				: []),
		],
		mayBe,
		dialog: DIALOGS.find((each) => each === asked && mayBe[each]),
		beside: {
			next: toBeside(next),
			previous: toBeside(previous),
		},
		rows,
		thread: describeThread(settlement, reader.timeZone),
		isAsked: settlement.question === "asked" && status !== "void",
		/** The key of an answer; absent if nothing can be answered. */
		messageKey:
			settlement.question !== null && status !== "void" && driverId !== reader.user.id
				? crypto.randomUUID()
				: undefined,
		history: history.map((event) => ({
			key: String(event.id),
			what: `${VERBS[event.action] ?? "Changed"}${byOf(event)}`,
			when: formatMoment(reader.timeZone, event.at),
		})),
	};
}

const VERBS: Readonly<Record<string, string>> = {
	"settlement.draft": "Drafted",
	"settlement.publish": "Published",
	"settlement.void": "Voided",
};

type Named = { readonly firstName: string | null; readonly lastName: string | null };
const byOf = ({ firstName, lastName }: Named) =>
	firstName || lastName ? ` by ${firstName ?? ""} ${lastName ?? ""}`.trimEnd() : "";

function toBeside([row]: StatementResult<ReturnType<typeof selectBeside>>) {
	return row && { href: settlementPath(row.id), name: displayName({ ...row, email: null }) };
}

/** Where the rows of a line are. */
function placesOf(
	{ driverId, week }: Settlement,
	corrected: StatementResult<ReturnType<typeof selectCorrected>>,
	hasRows: boolean,
): (line: Line) => Place | undefined {
	const person = driverPath(driverId);
	return ({ kind, platform, about }) => {
		switch (kind) {
			case "miles":
				return { href: `${reportPath(week, { driver: driverId })}#entries`, words: "Trips" };
			case "charge":
				return { href: `${person}#charges`, words: "Charges" };
			case "correction": {
				const earlier = corrected.find(({ weekFrom }) => weekFrom === about);
				return earlier && { href: settlementPath(earlier.id), words: "That week's settlement" };
			}
			case "rent":
			case "fee":
				return { href: `${person}#agreement`, words: "Agreement" };
			default:
				return platform !== null && hasRows ? { href: "#rows", words: "Rows" } : undefined;
		}
	};
}

export type SettlementData = Awaited<ReturnType<typeof settlementView>>;
