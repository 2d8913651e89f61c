/** The messages when a statement isn't read or imported. */
import { TOO_MANY_STATEMENTS } from "../../messages.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { ForgetRefusal } from "./commands/forget-driver.server.ts";
import type { StatementRefusal } from "./commands/import.server.ts";
import type { UndoRefusal } from "./commands/undo-import.server.ts";
import { foreignText } from "./file-currency.ts";
import type { OpenRefusal } from "./open.server.ts";
import type { Need, Plan } from "./plan.ts";
import { STATEMENT_LIMITS_TEXT } from "./rules.ts";
import { settlementNumber } from "./settlement-week.ts";

const WHICH_FILE =
	"Download Uber's payments by transaction or by driver, or Bolt's earnings per driver, as CSV.";

/** What each open question asks for. */
const NEED_WORDS: Readonly<Record<Need, (plan: Plan) => string>> = {
	period: () => "Which days does this statement cover? The file name doesn't say.",
	changed: ({ fees }) => {
		const changed = fees.filter(({ state }) => state === "changed");
		const words = [
			...(changed.some(({ isMissing }) => !isMissing)
				? ["Some of its fees are recorded with different amounts."]
				: []),
			...(changed.some(({ isMissing }) => isMissing)
				? ["Some recorded fees were in an earlier download of it, and no longer are."]
				: []),
			...(changed.length === 0
				? ["Some of the drivers' money in it is recorded with different amounts."]
				: []),
		];
		return `${words.join(" ")} Replace them with the amounts in this statement, or keep them?`;
	},
	unproven: () =>
		"It states no total of all its amounts, so nothing shows whether the drivers' money in it adds up. Keep it anyway?",
	drivers: () => "Some drivers in it aren't matched to drivers in this fleet yet.",
	overlap: ({ overlaps: [first] }) =>
		first
			? `It overlaps ${first.fileName} (${first.periodFrom} to ${first.periodTo}), which is already imported. Import it anyway?`
			: "Some of its fees were already added by hand or from another file. Import them anyway?",
};

/** The open questions of a statement, one sentence each. */
export const describeNeeds = (plan: Plan): string[] =>
	plan.needs.map((need) => NEED_WORDS[need](plan));

export const whyNotOpened = answersIn<ReasonsOf<OpenRefusal>>({
	"not-a-statement": ({ message }) => ({ status: 422, message }),
	foreign: ({ currency }) => ({ status: 422, message: foreignText(currency) }),
	"unknown-file": ({ reason }) => ({ status: 422, message: `${reason} ${WHICH_FILE}` }),
	expired: () => ({
		status: 404,
		message: "This preview expired after an hour. Upload the file again.",
	}),
	"too-large": () => ({
		status: 413,
		message: `This file is too large. ${STATEMENT_LIMITS_TEXT}.`,
	}),
	lost: () => ({
		status: 503,
		message: "The file couldn't be stored. Try again in a moment.",
		retryAfter: 10,
	}),
	"not-over": ({ to }) => ({
		status: 422,
		message: `This statement covers a period that ends on ${to} and isn't over yet. Download it again once it is, or download the payments by transaction.`,
	}),
	"too-old": ({ to, first }) => ({
		status: 422,
		message: `This statement's period ends on ${to}, and no fee can be dated before ${first}.`,
	}),
	contradicts: ({ platformId, driver }) => ({
		status: 409,
		message: `${platformId} is remembered as ${driver}. Remove that match first, under Remembered drivers on the import screen.`,
		field: "drivers",
	}),
	ambiguous: ({ names: [one, other] }) => ({
		status: 400,
		message: `"${one}" and "${other}" are the same driver in the statement, but are matched to different people. Match only one of them.`,
		field: "drivers",
	}),
	"no-such-driver": ({ platformId }) => ({
		status: 400,
		message: `${platformId} must be matched to a person who has, or had, a driver ID and wasn't pseudonymized.`,
		field: "drivers",
	}),
});

export const whyNotImported = answersIn<ReasonsOf<StatementRefusal>>({
	contradicts: (details, reader) => whyNotOpened({ reason: "contradicts", details }, reader),
	"no-such-driver": (details, reader) =>
		whyNotOpened({ reason: "no-such-driver", details }, reader),
	"open-needs": (plan) => ({
		status: 409,
		message: describeNeeds(plan).join(" ") || "Some of its rows can't be imported.",
	}),
	"recorded-meanwhile": () => ({
		status: 409,
		message:
			"This preview has changed since it was shown. Check the amounts below, then import it again.",
	}),
	busy: () => ({
		status: 409,
		message: "The same lines are being imported by someone else right now. Try again.",
	}),
});

export const whyNotUndone = answersIn<ReasonsOf<UndoRefusal>>({
	"not-found": () => ({ status: 404, message: "Import not found." }),
	"undone-already": () => ({ status: 409, message: "This import has already been undone." }),
	corrected: ({ by }) => ({
		status: 409,
		message: `${by} has replaced some of its amounts since. Undo that import first.`,
	}),
	settled: ({ number, weekFrom }) => ({
		status: 409,
		message: `${settlementNumber(number)}, of the week from ${formatDate(weekFrom)}, was published with money of this import. Void that settlement first, or import a corrected statement.`,
	}),
	"depended-on": () => ({
		status: 409,
		message:
			"A fee from this import was deleted and re-added since. Delete the re-added fee first.",
	}),
});

/** For too many statements in a minute. */
export const TOO_MANY = { status: 429, message: TOO_MANY_STATEMENTS, retryAfter: 60 } as const;

/** On a form, where nothing can be imported before a driver is chosen. */
export const NOTHING_READY = {
	status: 409,
	message: "Choose a driver first. There's nothing else left to import.",
} as const;

export const whyNotForgotten = answersIn<ReasonsOf<ForgetRefusal>>({
	"not-found": () => ({ status: 404, message: "This platform ID was already removed." }),
});
