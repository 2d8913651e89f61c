/** The calls about people, trips and fund requests. */
import * as v from "valibot";
import { changeRequestInput, submitRequestInput } from "../../domain/fund-requests/input.ts";
import { messageInput } from "../../domain/messages/input.ts";
import { logMileageInput } from "../../domain/mileage/input.ts";
import { PEOPLE_SCOPES } from "../../domain/people/choice.ts";
import { newAdminInput, newPersonInput, profileInput } from "../../domain/people/input.ts";
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

const person = { email: "dana@example.com", firstName: "Dana", lastName: "Driver" };

export const RECORD_OPERATIONS: Readonly<Record<string, Operation>> = {
	"GET /api/auth/user": {
		group: "People",
		summary: "Who is signed in",
		answer: one("SignedInUser", {
			...example.USER,
			fleet: { currency: "USD", distanceUnit: "mi" },
		}),
	},
	"PUT /api/profile": {
		group: "People",
		summary: "Complete or correct one's own name",
		note: "Drivers may until their application is decided.",
		body: { schema: () => profileInput, example: { firstName: "Dana", lastName: "Driver" } },
		answer: one("User", example.USER),
		refusals: { 409: "The application was decided." },
	},
	"GET /api/drivers": {
		group: "People",
		summary: "Approved and active drivers, by name",
		answer: list("User", example.USER),
	},
	"POST /api/drivers": {
		group: "People",
		summary: "Invite a driver, who is approved at once",
		body: { schema: () => newPersonInput, example: person },
		answer: made("User", example.USER),
		refusals: { 409: "The email belongs to someone else." },
		isOnce: true,
	},
	"GET /api/drivers/pending": {
		group: "People",
		summary: "Pending applications, oldest first",
		answer: list("User", {
			...example.USER,
			driverId: null,
			approvalStatus: "pending",
			approvedAt: null,
		}),
	},
	"GET /api/drivers/all": {
		group: "People",
		summary: "Approved drivers, active or not",
		answer: list("User", example.USER),
	},
	"PUT /api/drivers/:id/approve": {
		group: "People",
		summary: "Approve an application, also one that was rejected",
		answer: one("User", example.USER),
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"PUT /api/drivers/:id/reject": {
		group: "People",
		summary: "Reject an application",
		answer: one("User", {
			...example.USER,
			driverId: null,
			approvalStatus: "rejected",
			approvedAt: null,
		}),
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"PUT /api/drivers/:id/toggle": {
		group: "People",
		summary: "Deactivate someone who is active, activate someone who isn't",
		answer: one("User", example.USER),
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"DELETE /api/drivers/:id": {
		group: "People",
		summary: "Deactivate someone; all their sessions end",
		answer: { status: 204 },
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"POST /api/admin/create": {
		group: "People",
		summary: "Invite an administrator or an accountant",
		note: "Within 15 minutes of signing in. An accountant, role viewer, reads everything and changes nothing.",
		body: {
			schema: () => newAdminInput,
			example: { ...person, email: "ben@example.com", role: "admin" },
		},
		answer: made("User", { ...example.USER, role: "admin", driverId: null }),
		refusals: { 409: "The email belongs to someone else." },
		isOnce: true,
	},
	"GET /api/people": {
		group: "People",
		summary: "Search for people by name, code or email",
		query: {
			search: [v.string(), "What to search for."],
			among: [v.picklist(PEOPLE_SCOPES), "Among whom; everyone if absent."],
		},
		answer: one("People", example.PEOPLE),
	},
	"GET /api/mileage": {
		group: "Mileage",
		summary: "Trips, latest first, voided ones too",
		query: range,
		answer: list("Trip", example.TRIP),
	},
	"POST /api/mileage": {
		group: "Mileage",
		summary: "Log a trip",
		body: { schema: (today) => logMileageInput(today), example: trip },
		answer: made("Trip", { ...example.TRIP, notes: "Airport runs" }),
		refusals: { 409: "The trip is logged already, or its year is closed." },
		isOnce: true,
	},
	"GET /api/fund-requests": {
		group: "Fund requests",
		summary: "Fund requests, newest first",
		answer: list("FundRequest", example.REQUEST),
	},
	"POST /api/fund-requests": {
		group: "Fund requests",
		summary: "Submit a request",
		body: { schema: (today) => submitRequestInput(today), example: request },
		answer: made("FundRequest", {
			...example.REQUEST,
			receiptUrl: null,
			question: null,
			messages: [],
		}),
		refusals: {
			404: "The receipt doesn't exist.",
			409: "The receipt belongs to another request, or the request to replace can't be withdrawn.",
		},
		isOnce: true,
	},
	"PUT /api/fund-requests/:id": {
		group: "Fund requests",
		summary: "Approve, reject or reopen a request",
		body: {
			schema: () => changeRequestInput,
			example: { status: "approved", approvedAmount: "40.00", adminNotes: "Without the car wash" },
		},
		answer: one("FundRequest", example.APPROVED),
		refusals: { ...NOT_FOUND, ...DECIDED },
	},
	"POST /api/fund-requests/:id/messages": {
		group: "Fund requests",
		summary: "Ask about a pending request, or answer as its driver",
		body: { schema: () => messageInput, example: { text: "Which car was it for?" } },
		answer: made("Message", example.MESSAGE),
		refusals: { ...NOT_FOUND, ...DECIDED },
		isOnce: true,
	},
	"POST /api/receipts": {
		group: "Fund requests",
		summary: "Send a receipt before its request",
		note: "The answer's receiptUrl goes into the request.",
		body: { schema: () => v.object({}), example: {}, file: "receipt", needsFile: true },
		answer: made("Receipt", example.RECEIPT),
		isOnce: true,
	},
	"GET /api/receipts/:id": {
		group: "Fund requests",
		summary: "A receipt's file",
		answer: {
			status: 200,
			mediaTypes: ["image/jpeg", "image/png", "image/webp", "application/pdf"],
		},
		refusals: NOT_FOUND,
	},
};
