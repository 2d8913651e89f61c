/** The messages when a trip isn't logged or voided. */
import { dateIn, formatDate } from "../../values/calendar-date.ts";
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { MileageRefusal } from "./commands/log.server.ts";
import type { DayOffRefusal } from "./commands/take-day-off.server.ts";
import type { VoidRefusal } from "./commands/void.server.ts";
import type { AdminVoidRefusal } from "./commands/void-as-admin.server.ts";
import { formatQuestion } from "./rules.ts";

export const whyNotLogged = answersIn<ReasonsOf<MileageRefusal>>({
	"already-logged": () => ({ status: 409, message: "This trip is already logged" }),
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message:
				"You've already submitted this form with different values, and that entry was logged. Select Log Mileage again to log this one too.",
		},
		onPhone: { status: 409, message: SENT_WITH_OTHER_VALUES },
	}),
	"closed-year": () => ({
		status: 409,
		message: "This year is closed: its trips are archived. Trips can't be added to it anymore",
		field: "date",
	}),
	"too-many": () => ({
		status: 429,
		message: "Too many trips logged in the last hour. Please try again later.",
		retryAfter: 600,
	}),
	"not-to-correct": () => ({
		status: 409,
		message: "This entry can no longer be corrected",
		onForm: {
			message:
				"This entry can no longer be corrected. Select Log Mileage to log this as a new entry.",
		},
		onPhone: {
			message: "This entry can no longer be corrected. Send it again to save it as a new entry.",
			reason: "nothing-to-amend",
		},
	}),
	// Only a form asks, and shows each question separately.
	check: ({ checks }) => ({ status: 409, message: checks.map(formatQuestion).join(" ") }),
});

export const whyNotOff = answersIn<ReasonsOf<DayOffRefusal>>({
	"not-missing": () => ({
		status: 409,
		message: "Only one of the last 14 days, without a trip, can be a day off.",
	}),
});

export const whyNotVoided = answersIn<ReasonsOf<VoidRefusal>>({
	"not-found": () => ({ status: 404, message: "Entry not found." }),
	"already-voided": () => ({ status: 409, message: "This entry is already voided." }),
	"too-late": () => ({
		status: 409,
		message: "Entries can be voided for 7 days. Ask an administrator to void this one.",
	}),
});

export const whyNotVoidedByAdmin = answersIn<ReasonsOf<AdminVoidRefusal>>({
	"not-found": () => ({ status: 404, message: "Entry not found." }),
	"already-voided": ({ log, voider }, { timeZone }) => {
		const by =
			log.voidedBy === log.driverId
				? "the driver"
				: `${voider.firstName ?? ""} ${voider.lastName ?? ""}`.trim();
		const on = log.voidedAt === null ? "" : formatDate(dateIn(timeZone, log.voidedAt));
		return { status: 409, message: `It was voided on ${on} by ${by}.` };
	},
	"closed-year": () => ({
		status: 409,
		message: "This entry's year is closed: it is archived and can't be voided anymore.",
	}),
	pseudonymized: () => ({
		status: 409,
		message: "This entry is a pseudonymized driver's, so it can't be voided anymore.",
	}),
});
