/** The messages when settlements aren't drafted, published or voided. */
import { formatDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { threadRefusals } from "../messages/refusals.ts";
import { displayName } from "../people/rules.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import type { DraftRefusal } from "./commands/draft.server.ts";
import type { WeekMessageRefusal } from "./commands/message.server.ts";
import type { PublishRefusal } from "./commands/publish.server.ts";
import type { VoidRefusal } from "./commands/void.server.ts";
import { STATUS_LABELS } from "./rules.ts";
import type { Settlement } from "./settlement.ts";

const NO_SUCH_SETTLEMENT = {
	status: 404,
	message: "Settlement not found",
	onForm: { message: "Settlement not found." },
} as const;

const WEEK_CLOSED = "This week is closed: its tax year has trips in the archive.";

/** `ST-000012 (Dana Driver, Nov 9 to Nov 15, 2026)` */
const nameOf = ({ number, driver, week }: Settlement) =>
	`${settlementNumber(number)} (${displayName({ ...driver, email: null })}, ${formatPeriod(week)})`;

export const whyNotDrafted = answersIn<ReasonsOf<DraftRefusal>>({
	"no-such-driver": () => ({ status: 400, message: "Driver not found", field: "driverIds" }),
	closed: () => ({
		status: 409,
		message: `${WEEK_CLOSED} It can't be drafted anymore.`,
	}),
});

export const whyNotPublished = answersIn<ReasonsOf<PublishRefusal>>({
	"not-found": () => NO_SUCH_SETTLEMENT,
	"not-draft": (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} is ${STATUS_LABELS[settlement.status].toLowerCase()}. Nothing was published.`,
	}),
	"not-over": (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} can't be published: the week isn't over until the end of ${formatDate(settlement.week.to)}.`,
	}),
	"no-agreement": (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} can't be published: no agreement covers the week.`,
	}),
	changed: (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} has changed: it's ${formatDollars(settlement.resultCents)} now. Nothing was published.`,
	}),
	busy: () => ({
		status: 409,
		message: "The books are changing right now. Nothing was published. Please try again.",
	}),
});

export const whyNotVoided = answersIn<ReasonsOf<VoidRefusal>>({
	"not-found": () => NO_SUCH_SETTLEMENT,
	"void-already": (settlement) => ({ status: 409, message: `${nameOf(settlement)} is void.` }),
	"published-since": (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} has been published since this page was opened. Nothing was voided.`,
	}),
	"in-payout": (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} is in ${settlement.payout ? payoutNumber(settlement.payout.number) : "a payout"}. Nothing was voided.`,
	}),
	carried: ({ settlement, by }) => ({
		status: 409,
		message: `${settlementNumber(by)} carries or corrects ${nameOf(settlement)}. Void ${settlementNumber(by)} first.`,
	}),
	closed: (settlement) => ({
		status: 409,
		message: `${nameOf(settlement)} can't be voided. ${WEEK_CLOSED}`,
	}),
});

export const whyNotWritten = answersIn<ReasonsOf<WeekMessageRefusal>>({
	...threadRefusals(settlementNumber),
	"not-found": () => NO_SUCH_SETTLEMENT,
	"not-published": ({ number }) => ({
		status: 409,
		message: `${settlementNumber(number)} isn't published, so its driver doesn't see it.`,
	}),
	own: ({ number }) => ({
		status: 409,
		message: `${settlementNumber(number)} is your own. Someone else has to answer.`,
	}),
	pseudonymized: ({ number }) => ({
		status: 409,
		message: `${settlementNumber(number)} is a pseudonymized driver's, so nothing more can be written about it.`,
	}),
	"no-question": ({ number }) => ({
		status: 409,
		message: `The driver hasn't asked about ${settlementNumber(number)}. Only they can start a conversation.`,
	}),
});
