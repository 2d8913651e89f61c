/** The calls about drivers' pay for a week. */
import * as v from "valibot";
import { newAgreementInput } from "../../domain/agreements/input.ts";
import { newChargeInput } from "../../domain/charges/input.ts";
import { DEFAULT_SETTINGS } from "../../domain/kernel/fleet-settings.ts";
import { messageInput } from "../../domain/messages/input.ts";
import {
	changeSettlementBody,
	changeSettlementsBody,
	draftWeekBody,
} from "../../domain/settlements/input.ts";
import { STATUSES } from "../../domain/settlements/rules.ts";
import { startingWeekday } from "../../domain/statements/settlement-week.ts";
import { date, id } from "../../values/shapes.ts";
import * as example from "./examples.ts";
import { list, made, NOT_FOUND, type Operation, one } from "./operation.ts";

const WEEK_START = startingWeekday(DEFAULT_SETTINGS);
const ofDriver = { driverId: [id, "Only this driver's."] } as const;

const PUBLISHED = { ...example.SETTLEMENT, status: "published" };
const NOT_CHANGED =
	"The week isn't over, no agreement covers it, a sum differs, or a payout or a later week has it.";

export const WEEK_OPERATIONS: Readonly<Record<string, Operation>> = {
	"GET /api/agreements": {
		group: "Agreements and charges",
		summary: "Agreements, last made first",
		note: "Of those that start on one day, the one that was made last is in force.",
		query: ofDriver,
		answer: list("Agreement", example.AGREEMENT),
	},
	"POST /api/agreements": {
		group: "Agreements and charges",
		summary: "Make a driver's agreement from the first day of a week on",
		note: "Earlier agreements are kept. Percents are numbers with up to two decimals; what is left out is 100 for the three shares and 0 for the rest.",
		body: {
			schema: (today) => newAgreementInput(today, WEEK_START),
			example: {
				driverId: example.USER.id,
				from: "2026-11-16",
				faresPercent: 60,
				weeklyRent: "120.00",
			},
		},
		answer: made("Agreement", example.AGREEMENT),
		refusals: { 409: "Weeks now start on another day." },
		isOnce: true,
	},
	"GET /api/charges": {
		group: "Agreements and charges",
		summary: "Charges, latest date first; voided ones are left out",
		query: ofDriver,
		answer: list("Charge", example.CHARGE),
	},
	"POST /api/charges": {
		group: "Agreements and charges",
		summary: "Add a charge for or against a driver",
		note: "Without a direction a bonus is for the driver, and anything else against them. The first weekly installment is due in the week of the date; the last has the cents left over. With a receipt it is sent as a form; nothing is added if the receipt is refused.",
		body: {
			schema: (today) => newChargeInput(today),
			file: "receipt",
			isAlsoJson: true,
			example: {
				driverId: example.USER.id,
				kind: "damage",
				date: "2026-11-18",
				amount: "250.00",
				direction: "against",
				instalments: 4,
				note: "Rear bumper",
			},
		},
		answer: made("Charge", example.CHARGE),
		refusals: { 409: "The week of the date is closed: its tax year has trips in the archive." },
		isOnce: true,
	},
	"DELETE /api/charges/:id": {
		group: "Agreements and charges",
		summary: "Void a charge",
		answer: { status: 204 },
		refusals: {
			404: "It doesn't exist, or is voided already.",
			409: "A published settlement has an installment of it.",
		},
	},
	"GET /api/settlements": {
		group: "Settlements",
		summary: "Settlements, latest first: everyone's, or a driver's own published ones",
		note: "A draft is worked out from today's books each time it is read, and updatedSince doesn't say when those have changed: to keep a copy of drafts, ask for status=draft.",
		query: {
			week: [date, "Any day of the week."],
			...ofDriver,
			status: [v.picklist(STATUSES), "Only settlements of this status."],
		},
		answer: list("Settlement", example.SETTLEMENT),
	},
	"POST /api/settlements": {
		group: "Settlements",
		summary: "Draft a week for everyone with anything due in it, or for some",
		note: "week is any day of it. Drivers with a settlement of the week keep it; 200 with what there is if no draft was made.",
		body: {
			schema: (today) => draftWeekBody(today, WEEK_START),
			example: { week: "2026-11-09" },
		},
		answer: { ...list("Settlement", example.SETTLEMENT), status: 201 },
		also: [{ status: 200, shape: "Settlement", isList: true, text: "No draft was made." }],
		refusals: { 409: "The week is closed: its tax year has trips in the archive." },
	},
	"PUT /api/settlements": {
		group: "Settlements",
		summary: "Publish or void several settlements, all or none",
		note: "At most 500. results has the sums that were shown, by id: if one differs by now, nothing is published.",
		body: {
			schema: () => changeSettlementsBody,
			example: {
				ids: [example.SETTLEMENT.id],
				status: "published",
				results: { [example.SETTLEMENT.id]: "150.00" },
			},
		},
		answer: list("Settlement", PUBLISHED),
		refusals: { ...NOT_FOUND, 409: NOT_CHANGED },
	},
	"GET /api/settlements/:id": {
		group: "Settlements",
		summary: "A settlement",
		answer: one("SettlementWithMessages", example.SETTLEMENT),
		refusals: NOT_FOUND,
	},
	"PUT /api/settlements/:id": {
		group: "Settlements",
		summary: "Publish or void a settlement",
		note: "result is the sum that was shown.",
		body: {
			schema: () => changeSettlementBody,
			example: { status: "published", result: "150.00" },
		},
		answer: one("SettlementWithMessages", PUBLISHED),
		refusals: { ...NOT_FOUND, 409: NOT_CHANGED },
	},
	"POST /api/settlements/:id/messages": {
		group: "Settlements",
		summary: "Ask about one's own published week, or answer as an administrator",
		body: { schema: () => messageInput, example: { text: "Why is Tuesday missing?" } },
		answer: made("Message", example.WEEK_MESSAGE),
		refusals: {
			404: "It doesn't exist, or isn't the driver's.",
			409: "It isn't published, its driver hasn't asked, it's the administrator's own, or it has 50 messages.",
		},
		isOnce: true,
	},
};
