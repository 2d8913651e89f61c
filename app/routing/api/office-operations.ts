/** The calls about payouts, fees and figures, and those of phones and machines. */
import * as v from "valibot";
import { answerForm, submitRequestInput } from "../../domain/fund-requests/input.ts";
import { logMileageInput } from "../../domain/mileage/input.ts";
import {
	changePayoutInput,
	makePayoutBody,
	paymentInput,
	reopenPayoutInput,
} from "../../domain/payouts/input.ts";
import { PAYOUT_STATUSES } from "../../domain/payouts/rules.ts";
import { reportInput } from "../../domain/reports/input.ts";
import { statementInput } from "../../domain/statements/input.ts";
import { addFeeInput } from "../../domain/uber-fees/input.ts";
import { date, id } from "../../values/shapes.ts";
import * as example from "./examples.ts";
import {
	DECIDED,
	list,
	made,
	NOT_FOUND,
	type Operation,
	one,
	range,
	request,
	trip,
} from "./operation.ts";

const outbox = {
	group: "The phone's outbox",
	answer: one("Received", { received: true, words: "86 miles on Nov 20" }),
} as const;
const inForm = (fields: object) => ({ ...fields, asUser: example.USER.id, key: "0b5f1c52-1" });
const SENT_BEFORE = {
	409: "It is another account's entry, or can't be stored.",
	422: "The key was used for other values.",
} as const;

export const OFFICE_OPERATIONS: Readonly<Record<string, Operation>> = {
	"GET /api/payouts": {
		group: "Payouts",
		summary: "Payouts, latest first, each whole",
		note: "A page has at most 50.",
		query: {
			driverId: [id, "Payouts with a line of this driver."],
			paidFrom: [date, "The first day of payment."],
			paidTo: [date, "The last day of payment, included."],
			status: [v.picklist(PAYOUT_STATUSES), "Only payouts of this status."],
			reference: [v.string(), "How the reference begins."],
		},
		answer: list("Payout", example.PAYOUT),
	},
	"POST /api/payouts": {
		group: "Payouts",
		summary:
			"Make a payout of approved requests and published settlements: some, one driver's, or all",
		note: "Send requestIds, settlementIds or both, or one of driverId and all, which take both kinds.",
		body: {
			schema: () => makePayoutBody,
			example: { requestIds: [example.REQUEST.id] },
			others: [{ settlementIds: [example.SETTLEMENT.id] }, { all: true }],
		},
		answer: made("Payout", example.PAYOUT),
		refusals: {
			...NOT_FOUND,
			409: "A request isn't approved, a settlement isn't published or has nothing to pay, or one is in a payout; requests and settlements name them.",
		},
		isOnce: true,
	},
	"GET /api/payouts/:id": {
		group: "Payouts",
		summary: "A payout",
		answer: one("Payout", example.PAYOUT),
		refusals: NOT_FOUND,
	},
	"PUT /api/payouts/:id": {
		group: "Payouts",
		summary: "Mark a payout as paid, cancel it or reopen it",
		note: "paidOn and reference go with paid, reason with open.",
		body: {
			schema: (today) =>
				v.object({
					...changePayoutInput.entries,
					...v.partial(paymentInput(today)).entries,
					reason: reopenPayoutInput.entries.reason,
				}),
			example: { status: "paid", paidOn: "2026-11-21", reference: "ACH 4471" },
		},
		answer: one("Payout", example.PAID),
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"GET /api/uber-fees": {
		group: "Uber fees",
		summary: "Fees, latest day first",
		answer: list("ListedFee", example.FEE),
	},
	"POST /api/uber-fees": {
		group: "Uber fees",
		summary: "Add a fee",
		note: "The signed-in administrator adds it, whatever addedBy says.",
		body: {
			schema: (today) => addFeeInput(today),
			example: {
				driverId: example.USER.id,
				category: "service_fee",
				amount: "18.75",
				date: "2026-11-16",
				referenceNumber: "UB-2026-001",
			},
		},
		answer: made("Fee", example.FEE),
		refusals: {
			404: "The driver or the fee to replace doesn't exist.",
			409: "It was replaced or deleted in the meantime.",
		},
		isOnce: true,
	},
	"DELETE /api/uber-fees/:id": {
		group: "Uber fees",
		summary: "Delete a fee",
		answer: { status: 204 },
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"POST /api/statements": {
		group: "Statements",
		summary: "Preview or import a platform's statement",
		note: "Send a file for a preview, then its id with the answers it needs and the mode ready or all.",
		body: {
			schema: () => statementInput,
			example: { mode: "preview" },
			file: "file",
			isAlsoJson: true,
			jsonExample: { id: "07d3b3b8-9e2b-4bc6-8bbb-1f2f6f6c9d09" },
		},
		answer: {
			status: 200,
			shape: "Statement",
			example: {
				id: "07d3b3b8-9e2b-4bc6-8bbb-1f2f6f6c9d09",
				importId: null,
				fileName: "20261116-20261123-payments_driver-Example.csv",
				format: "uber-payments-driver",
				platform: "Uber",
				currency: null,
				period: { from: "2026-11-16", to: "2026-11-22" },
				needs: ["drivers"],
				overlaps: [],
				rows: 1,
				columns: null,
				feeColumns: [],
				notFeeColumns: [],
				isAllCommission: false,
				fees: [],
				leftOut: [],
				netted: [],
				months: [],
				unknownColumns: [],
			},
		},
		also: [
			{ status: 201, shape: "Statement", text: "Imported." },
			{
				status: 409,
				shape: "OpenStatement",
				text: "Something has to be answered first, which needs says; or it can't be imported now.",
				orError: true,
			},
		],
		refusals: {
			404: "The preview is gone.",
			422: "The file can't be read as a statement.",
		},
	},
	"GET /api/analytics/weekly-summary": {
		group: "Figures and reports",
		summary: "Fuel and fees of the last 7 days, or of a range",
		query: range,
		answer: one("WeeklySummary", example.SUMMARY),
	},
	"GET /api/analytics/driver-efficiency": {
		group: "Figures and reports",
		summary: "Miles, fuel and cost per mile of every approved driver",
		note: "For all time, or a range. Active drivers come first.",
		query: range,
		answer: list("EfficiencyRow", example.EFFICIENCY),
	},
	"POST /api/reports/generate": {
		group: "Figures and reports",
		summary: "A report as a file",
		body: {
			schema: (today) => reportInput(today),
			example: { type: "weekly", format: "csv", startDate: "2026-11-15", endDate: "2026-11-21" },
			others: [{ type: "weekly", format: "pdf", range: "last_week" }],
		},
		answer: {
			status: 200,
			mediaTypes: [
				"application/pdf",
				"text/csv",
				"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			],
		},
		refusals: { 422: "The report would be too long." },
	},
	"POST /api/outbox/mileage": {
		...outbox,
		summary: "A trip that waited on a phone",
		body: { schema: (today) => logMileageInput(today), example: inForm(trip), isForm: true },
		refusals: SENT_BEFORE,
	},
	"POST /api/outbox/requests": {
		...outbox,
		summary: "A fund request that waited on a phone, with its receipt",
		body: {
			schema: (today) => submitRequestInput(today),
			example: inForm(request),
			file: "receipt",
		},
		refusals: { ...NOT_FOUND, ...SENT_BEFORE },
	},
	"POST /api/outbox/answers": {
		...outbox,
		summary: "An answer about a request that waited on a phone",
		note: "With text, the receipt or both.",
		body: {
			schema: () => answerForm,
			example: inForm({ requestId: example.REQUEST.id, text: "The white one" }),
			file: "receipt",
		},
		refusals: { ...NOT_FOUND, ...SENT_BEFORE },
	},
	"GET /healthz": {
		group: "Operation",
		summary: "Whether everything works, for monitoring",
		answer: one("Health", {
			status: "ok",
			database: "ok",
			receipts: "ok",
			schema: "0058_emails_refused",
			emailDelaySeconds: 0,
		}),
		also: [{ status: 503, shape: "Health", text: "Something fails." }],
	},
	"POST /api/mail/events": {
		group: "Operation",
		summary: "What became of an email, signed by the provider",
		answer: { status: 204 },
		refusals: { 404: "MAIL_WEBHOOK_SECRET isn't set." },
	},
	"POST /api/csp-reports": {
		group: "Operation",
		summary: "What a browser blocked on one of our pages",
		answer: { status: 204 },
	},
	"GET /api/openapi.json": {
		group: "Operation",
		summary: "This document",
		answer: { status: 200, mediaTypes: ["application/json"] },
	},
};
