/** The payloads of payouts and their changes, with their messages. */
import * as v from "valibot";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { entryDate } from "../../values/date-input.ts";
import { numeral, optionalRowId, optionalText, submissionKey } from "../../values/fields.ts";
import { isRowId } from "../../values/row-id.ts";
import { PAYMENT_FIELDS } from "./fields.ts";
import { MAX_REQUESTS } from "./rules.ts";

/** Which approved and unpaid requests, and published and unpaid settlements, a payout gets. */
export type Gathering =
	| ({ readonly kind: "all" } & Shown)
	| ({ readonly kind: "driver"; readonly driverId: string } & Shown)
	| {
			readonly kind: "named";
			/** Of requests. */
			readonly ids: readonly string[];
			readonly settlementIds?: readonly string[] | undefined;
	  };

/** Their sum on the screen, if it was shown there: no other sum is paid unseen. */
type Shown = { readonly shownCents?: number | undefined };

const tooMany = (what: string) => `At most ${MAX_REQUESTS} ${what} at once`;
const BOTH = "requests and settlements";
const ONE_OF_THESE = "Send requestIds, settlementIds or both, or one of all and driverId";

const idsOf = (name: string, what: string) =>
	v.optional(
		v.pipe(
			v.array(
				v.pipe(v.string(`${name} must be a list of ids`), v.maxLength(100, "is no id")),
				`${name} must be a list of ids`,
			),
			v.minLength(1, `Select ${what} to pay`),
			v.maxLength(MAX_REQUESTS, tooMany(what)),
		),
	);

/** The JSON body. Unknown ids are reported, not refused. */
export const makePayoutBody = v.pipe(
	v.object({
		requestIds: idsOf("requestIds", "requests"),
		settlementIds: idsOf("settlementIds", "settlements"),
		all: v.optional(v.literal(true, "all must be true")),
		driverId: v.optional(v.string("driverId must be text")),
	}),
	v.check(
		({ requestIds, settlementIds, all, driverId }) =>
			[requestIds ?? settlementIds, all, driverId].filter((given) => given !== undefined).length ===
			1,
		ONE_OF_THESE,
	),
	v.check(
		({ requestIds = [], settlementIds = [] }) =>
			requestIds.length + settlementIds.length <= MAX_REQUESTS,
		tooMany(BOTH),
	),
	v.transform(({ requestIds, settlementIds, driverId }): Gathering => {
		if (requestIds ?? settlementIds)
			return {
				kind: "named",
				ids: [...new Set(requestIds)],
				settlementIds: [...new Set(settlementIds)],
			};
		return driverId === undefined ? { kind: "all" } : { kind: "driver", driverId };
	}),
);

/** The button of a form: everything, one driver's, or the ticked ones. */
export const makePayoutForm = v.object({
	gather: v.pipe(
		v.optional(v.string(), ""),
		v.picklist(["all", "driver", "requests"], "This form doesn't say what to pay"),
	),
	driverId: optionalRowId,
	shownCents: v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))),
	key: submissionKey,
});

/** The ticked rows as a form has them: an id each, or several with spaces between. */
export const sentIds = (form: FormData, name: "ids" | "settlementIds" = "ids"): string[] =>
	form.getAll(name).flatMap((id) => (typeof id === "string" ? id.split(" ") : []));

/** The ticked requests and settlements of a form. */
export const ticked = v.pipe(
	v.object({ ids: v.array(v.string()), settlementIds: v.array(v.string()) }),
	v.transform(({ ids, settlementIds }) => ({
		ids: [...new Set(ids.filter(isRowId))],
		settlementIds: [...new Set(settlementIds.filter(isRowId))],
	})),
	v.check(({ ids, settlementIds }) => ids.length + settlementIds.length > 0, "Select what to pay"),
	v.check(
		({ ids, settlementIds }) => ids.length + settlementIds.length <= MAX_REQUESTS,
		`${tooMany(BOTH)}.`,
	),
);

/**
 * How a payout was paid.
 * @param today in the fleet's time zone; the payment can't be later
 */
export function paymentInput(today: CalendarDate) {
	return v.object({
		paidOn: entryDate(today, PAYMENT_FIELDS.paidOn.missing),
		reference: v.pipe(optionalText(100), numeral()),
	});
}
export type Payment = v.InferOutput<ReturnType<typeof paymentInput>>;

/** Why a paid payout is reopened. */
export const reopenPayoutInput = v.object({
	reason: optionalText(1000),
	/** The form said that nobody would be told. */
	isSilent: v.optional(v.literal("on")),
});

const CHANGED_STATUSES = ["paid", "cancelled", "open"] as const;

/** A PUT's new status, and the fields that go with it. */
export const changePayoutInput = v.object({
	status: v.pipe(
		v.optional(v.string(), ""),
		v.picklist(CHANGED_STATUSES, `status must be one of ${CHANGED_STATUSES.join(", ")}`),
	),
});
