/**
 * What requests may contain, from the route table and the schemas: the fields of each route, and
 * genuine values for them.
 */

import { newAgreementInput } from "../../../app/domain/agreements/input.ts";
import { newChargeInput } from "../../../app/domain/charges/input.ts";
import {
	answerForm,
	bulkApprovalInput,
	changeRequestInput,
	decisionForm,
	questionForm,
	reopenRequestInput,
	requestIdInput,
	submitRequestInput,
} from "../../../app/domain/fund-requests/input.ts";
import { FILTER_NAMES } from "../../../app/domain/fund-requests/search.ts";
import { messageInput } from "../../../app/domain/messages/input.ts";
import {
	logMileageInput,
	voidMileageAsAdminInput,
	voidMileageInput,
} from "../../../app/domain/mileage/input.ts";
import {
	changePayoutInput,
	makePayoutForm,
	paymentInput,
	reopenPayoutInput,
} from "../../../app/domain/payouts/input.ts";
import {
	newAdminInput,
	newPersonInput,
	profileInput,
	pseudonymizeInput,
} from "../../../app/domain/people/input.ts";
import { mileageLogInput, reportInput } from "../../../app/domain/reports/input.ts";
import {
	accountingInput,
	fleetInput,
	questionsInput,
	receiptsInput,
	remindersInput,
	retentionInput,
	setupInput,
	thresholdsInput,
	unitsInput,
	weekInput,
} from "../../../app/domain/settings/input.ts";
import { statementInput } from "../../../app/domain/statements/input.ts";
import { newTokenInput, tokenIdInput } from "../../../app/domain/tokens/input.ts";
import { addFeeInput, feeIdInput } from "../../../app/domain/uber-fees/input.ts";
import { newWebhookInput, webhookEventsInput } from "../../../app/domain/webhooks/input.ts";
import { ROUTES, type RouteRule } from "../../../app/routing/routes.ts";
import { ANY_DAY } from "../../../app/values/date-input.ts";
import { fieldNames, type InputSchema } from "../../../app/values/fields.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import type { Dice } from "../dice.ts";

type Fields = { readonly intents?: readonly string[]; readonly names: readonly string[] };

/** Reads the entries of object schemas, including piped ones. */
const fields = (
	schemas: readonly object[],
	intents?: readonly string[],
	more: readonly string[] = [],
): Fields => ({
	...(intents ? { intents } : {}),
	names: [...new Set([...schemas.flatMap((schema) => fieldNames(schema as InputSchema)), ...more])],
});
/** The intents of the buttons in a person's row. */
const ROW_INTENTS = "approve reject delete deactivate activate renew cancel rename".split(" ");
const trip = fields([logMileageInput(ANY_DAY)]);
const request = fields([submitRequestInput(ANY_DAY)]);
const agreement = newAgreementInput(ANY_DAY, 1);
const report = fields([reportInput(ANY_DAY)]);

/** The fields of each route that accepts any; the others are sent some anyway. */
const FIELDS: Readonly<Record<string, Fields>> = {
	"/mileage": fields(
		[logMileageInput(ANY_DAY), voidMileageInput],
		["", "void", "day-off"],
		["openedFor"],
	),
	"/api/mileage": trip,
	"/api/outbox/mileage": trip,
	"/requests": fields(
		[submitRequestInput(ANY_DAY), answerForm, requestIdInput],
		["", "withdraw", "answer", "add-receipt"],
		["number", "receipt", "openedFor"],
	),
	"/api/fund-requests": request,
	"/api/outbox/requests": request,
	"/api/outbox/answers": fields([answerForm]),
	"/fund-requests": fields(
		[decisionForm, questionForm, reopenRequestInput, bulkApprovalInput],
		["process", "ask", "reopen", "undo", "undo-changed", "bulk-approve"],
		["next", "seen"],
	),
	"/api/fund-requests/:id": fields([changeRequestInput]),
	"/api/fund-requests/:id/messages": fields([questionForm]),
	"/mileage-reports": fields([voidMileageAsAdminInput], ["void"]),
	"/uber-fees": fields([addFeeInput(ANY_DAY), feeIdInput], ["", "delete", "find-driver"]),
	"/api/uber-fees": fields([addFeeInput(ANY_DAY)]),
	"/uber-fees/import": {
		intents: ["upload", "undo", "answer", "import-statement", "forget"],
		names: [
			"dateColumn",
			"file",
			"id",
			"drivers",
			"from",
			"to",
			"overlap",
			"currency",
			"mode",
			"key",
			"seen",
		],
	},
	"/api/statements": fields([statementInput]),
	"/payouts": { names: [...fieldNames(makePayoutForm), "id"] },
	"/payouts/:id": fields(
		[paymentInput(ANY_DAY), reopenPayoutInput],
		["pay", "cancel", "reopen"],
		["seen"],
	),
	"/api/payouts": { names: ["requestIds", "settlementIds", "all", "driverId"] },
	"/api/payouts/:id": fields([changePayoutInput, paymentInput(ANY_DAY), reopenPayoutInput]),
	"/settlements": { intents: ["draft", "publish"], names: ["week", "chosen"] },
	"/settlements/:id": {
		intents: ["publish", "void", "write"],
		names: ["result", "text", "key", "seen"],
	},
	"/earnings/:id": fields([messageInput], ["write"]),
	"/api/settlements/:id/messages": fields([messageInput]),
	"/api/settlements": { names: ["week", "driverIds", "ids", "status", "results"] },
	"/api/settlements/:id": { names: ["status", "result"] },
	"/settings": fields(
		[
			fleetInput,
			thresholdsInput,
			questionsInput,
			receiptsInput,
			accountingInput,
			remindersInput,
			retentionInput,
			setupInput,
			unitsInput,
			weekInput,
		],
		"fleet thresholds questions receipts accounting reminders retention setup units week".split(
			" ",
		),
		["seen"],
	),
	"/settings/tokens": fields([newTokenInput, tokenIdInput], ["", "revoke"]),
	"/settings/webhooks": fields(
		[newWebhookInput, webhookEventsInput],
		[
			"",
			"choose-events",
			"rotate-secret",
			"switch-on",
			"switch-off",
			"test",
			"send-again",
			"remove",
		],
		["seen"],
	),
	"/account": {
		intents: ["", "sign-out", "sign-out-everywhere"],
		names: [...fieldNames(remindersInput), "session"],
	},
	"/drivers": fields(
		[newAdminInput],
		[...ROW_INTENTS, "add-driver", "add-many", "create-admin"],
		["id", "people", "seen", "knownAs"],
	),
	"/drivers/:id": fields(
		[newPersonInput, pseudonymizeInput, agreement, newChargeInput(ANY_DAY)],
		[...ROW_INTENTS, "pseudonymize", "forget", "agreement", "charge", "remove-charge"],
		["id", "preview", "receipt", "seen", "knownAs"],
	),
	"/api/agreements": fields([agreement]),
	"/api/charges": fields([newChargeInput(ANY_DAY)]),
	"/api/drivers": fields([newPersonInput]),
	"/api/admin/create": fields([newAdminInput]),
	"/profile": fields([profileInput]),
	"/api/profile": fields([profileInput]),
	"/reports/generate": report,
	"/api/reports/generate": report,
	"/reports/mileage-log": fields([mileageLogInput(ANY_DAY)]),
	"/api/login": { names: ["email", "returnTo"] },
	"/email": { intents: ["send-again", "send-all-again"], names: ["id"] },
};

const ANY_FIELDS: Fields = { names: ["id", "intent", "status", "email", "returnTo"] };
export const fieldsOf = (rule: RouteRule): Fields => FIELDS[rule.path] ?? ANY_FIELDS;

/** Query parameters. */
export const QUERY_NAMES = [
	...["paidFrom", "paidTo", "reference", "week"],
	...FILTER_NAMES,
	...["dialog", "open", "id", "statement", "select", "range", "note", "limit", "format", "changed"],
	...["year", "undo", "skipped", "show", "search", "returnTo", "receipt", "q", "provider", "kind"],
	...["ids", "for", "error", "choose", "among", "alias", "before", "after", "page", "sort"],
	...["approve", "reject", "edit", "delete", "rename", "deactivate"],
	...["preset", "charges", "chargesBefore", "driverId"],
	...["index", "code", "state", "group", "period", "all", "fee", "log", "person", "order"],
] as const;

/** Ids of existing rows, by the kind of id in URLs. */
export type Known = Readonly<Record<"request" | "fee" | "log" | "payout" | "person", string[]>>;

/** A genuine value of a field. */
export function genuine(name: string, dice: Dice, known: Known): string {
	const row = () =>
		dice.pick(
			Object.values(known)
				.filter((ids) => ids.length > 0)
				.flat(),
		);
	switch (name) {
		case "date":
		case "openedFor":
		case "paidOn":
		case "startDate":
		case "from":
		case "week":
			return "2026-11-02";
		case "endDate":
		case "to":
			return "2026-11-08";
		case "startOdometer":
			return String(1000 + dice.below(9_000_000));
		case "endOdometer":
			return String(9_000_100 + dice.below(900_000));
		case "spentOn":
			return daysAgo(dice.below(100));
		case "personalMiles":
			return String(dice.below(100));
		case "amount":
		case "approvedAmount":
			return `${1 + dice.below(50)}.${dice.below(90) + 10}`;
		case "type":
			return dice.pick(["gas", "maintenance", "other", "driver", "weekly", "fund-request"]);
		case "category":
			return dice.pick(["commission", "service_fee", "booking_fee", "other"]);
		case "status":
			return dice.pick(["approved", "rejected", "pending", "paid", "cancelled", "open"]);
		case "range":
			return dice.pick(["last_month", "this_week", "custom"]);
		case "format":
			return dice.pick(["csv", "excel"]);
		case "gather":
			return dice.pick(["all", "driver", "requests"]);
		case "excellentUnderCents":
		case "goodUnderCents":
		case "targetCents":
		case "aboveTargetOverCents":
		case "feeAlertOverCents":
			return `0.${10 + dice.below(90)}`;
		case "fuelTargetPercent":
		case "pendingAlertOver":
		case "longTripMiles":
		case "sameRequestMinutes":
		case "receiptMegabytes":
		case "keepDriverYears":
			return String(1 + dice.below(20));
		case "people":
		case "email":
			return `fuzz${dice.below(1_000_000)}@milepost.test`;
		case "driver":
		case "driverId":
			return idOf(dice.pick(["dana", "omar", "lena"]));
		case "id":
		case "requestId":
		case "replacesId":
		case "correctsId":
		case "requestIds":
		case "ids":
			return row();
		case "seen":
			return dice.pick(["pending", "first", "draft", "{}", "0"]);
		case "knownAs":
			return dice.pick(["", "Dana Driver"]);
		case "scope":
			return dice.pick(["read", "import", "write"]);
		case "days":
			return String(1 + dice.below(366));
		case "year":
			return "2026";
		case "remindOfMiles":
		case "remindOfReceipts":
		case "weeklyDigest":
			return "on";
		case "receiptUrl":
			return `/api/receipts/${row()}`;
		case "drivers":
			return "{}";
		default:
			return `Words ${dice.below(1000)}`;
	}
}

/** The routes that the fuzzer calls, once for each method. */
export const LINES = ROUTES.flatMap((rule) =>
	Object.keys(rule.methods).map((method) => ({ rule, method })),
);
export type RouteLine = (typeof LINES)[number];

/** The path with an id of the right kind. */
export function urlOf({ path }: RouteRule, dice: Dice, known: Known): string {
	const kind = path.includes("payouts")
		? "payout"
		: path.includes("uber-fees")
			? "fee"
			: path.includes("fund-requests")
				? "request"
				: "person";
	const id = () => (known[kind].length > 0 ? dice.pick(known[kind]) : idOf("ines"));
	return path.replace(/:\w+/g, id);
}
