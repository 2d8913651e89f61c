/** What describes a call of the API, and the words that calls share. */
import * as v from "valibot";
import { agreementShape } from "../../domain/agreements/shape.server.ts";
import { efficiencyShape, summaryShape } from "../../domain/analytics/shape.server.ts";
import { chargeShape } from "../../domain/charges/shape.server.ts";
import { messageShape, requestShape } from "../../domain/fund-requests/shape.server.ts";
import { tripShape } from "../../domain/mileage/shape.server.ts";
import { payoutShape } from "../../domain/payouts/shape.server.ts";
import { peopleShape, selfShape, userShape } from "../../domain/people/shape.server.ts";
import { receiptShape } from "../../domain/receipts/shape.server.ts";
import {
	settlementShape,
	settlementWithMessagesShape,
} from "../../domain/settlements/shape.server.ts";
import { openStatementShape, statementShape } from "../../domain/statements/shape.server.ts";
import { feeShape, listedFeeShape } from "../../domain/uber-fees/shape.server.ts";
import { eventShape } from "../../domain/webhooks/shape.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { date } from "../../values/shapes.ts";

const part = v.picklist(["ok", "failing"]);
/** What a monitor gets (docs/operations.md, 'What to watch'). */
const healthShape = v.strictObject({
	status: part,
	database: part,
	receipts: part,
	schema: v.nullable(v.string()),
	emailDelaySeconds: v.nullable(v.pipe(v.number(), v.integer())),
	settings: v.optional(v.literal("failing")),
	wrongSettings: v.optional(v.array(v.string())),
	release: v.optional(v.string()),
});

/** The schemas that answers refer to, by name. */
export const SHAPES = {
	User: userShape,
	SignedInUser: selfShape,
	Trip: tripShape,
	FundRequest: requestShape,
	Message: messageShape,
	Payout: payoutShape,
	Settlement: settlementShape,
	SettlementWithMessages: settlementWithMessagesShape,
	Fee: feeShape,
	ListedFee: listedFeeShape,
	Agreement: agreementShape,
	Charge: chargeShape,
	EfficiencyRow: efficiencyShape,
	WeeklySummary: summaryShape,
	People: peopleShape,
	Receipt: receiptShape,
	Statement: statementShape,
	OpenStatement: openStatementShape,
	Event: eventShape,
	Received: v.strictObject({ received: v.literal(true), words: v.string() }),
	Health: healthShape,
} as const satisfies Readonly<Record<string, v.GenericSchema>>;
export type ShapeName = keyof typeof SHAPES;

/** A part of the API, as the document groups it. */
export const GROUPS = [
	"People",
	"Mileage",
	"Fund requests",
	"Payouts",
	"Uber fees",
	"Statements",
	"Agreements and charges",
	"Settlements",
	"Figures and reports",
	"The phone's outbox",
	"Operation",
] as const;

export type Body = {
	/** How the call parses it, on a date. */
	readonly schema: (today: CalendarDate) => v.GenericSchema;
	readonly example: Readonly<Record<string, unknown>>;
	/** Valid bodies without a field that the example requires. */
	readonly others?: readonly Readonly<Record<string, unknown>>[];
	/** Whether it is sent as multipart, even without a file. */
	readonly isForm?: true;
	/** The field of a multipart body that has a file. */
	readonly file?: string;
	/** Whether nothing is accepted without the file. */
	readonly needsFile?: true;
	/** Whether it is also taken as JSON, without the file. */
	readonly isAlsoJson?: true;
	/** A complete JSON body, if it needs more without a file. */
	readonly jsonExample?: Readonly<Record<string, unknown>>;
};

/** What an answer has: one of a shape, or a list. */
export type Shown = { readonly shape: ShapeName; readonly isList?: true };

export type Operation = {
	readonly group: (typeof GROUPS)[number];
	readonly summary: string;
	readonly note?: string;
	/** Parameters of the URL, besides those of a list. */
	readonly query?: Readonly<Record<string, readonly [schema: v.GenericSchema, text: string]>>;
	readonly body?: Body;
	readonly answer:
		| (Shown & { readonly status: 200 | 201; readonly example: object })
		| { readonly status: 204 }
		| { readonly status: 200; readonly mediaTypes: readonly string[] };
	/** Other answers, such as a preview's. */
	readonly also?: readonly (Shown & {
		readonly status: number;
		readonly text: string;
		/** Whether the status may also be a refusal like any other. */
		readonly orError?: true;
	})[];
	/** Its own refusals, besides those that follow from the route table. */
	readonly refusals?: Readonly<Record<number, string>>;
	/** Whether it creates something once for each `Idempotency-Key`. */
	readonly isOnce?: true;
};

export const list = (shape: ShapeName, one: object) =>
	({ status: 200, shape, example: [one], isList: true }) as const;
export const one = (shape: ShapeName, shown: object) =>
	({ status: 200, shape, example: shown }) as const;
export const made = (shape: ShapeName, shown: object) =>
	({ status: 201, shape, example: shown }) as const;
export const range = {
	startDate: [date, "The first date; open if absent."],
	endDate: [date, "The last date, included; open if absent."],
} as const;
export const NOT_FOUND = { 404: "It doesn't exist, or is another driver's." } as const;
export const DECIDED = { 409: "Someone else was faster, or it can't be done anymore." } as const;
export const trip = {
	date: "2026-11-20",
	startOdometer: 48210,
	endOdometer: 48296,
	notes: "Airport runs",
};
export const request = { type: "gas", amount: "42.50", description: "Fuel for the week" };
