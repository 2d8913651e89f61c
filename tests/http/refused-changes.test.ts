/** A refused change says what failed in its own words (docs/product.md §8), and after that why. */
import { beforeAll, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const UNKNOWN = "11111111-1111-4111-8111-111111111111";
const clients: Record<string, Client> = {};
const paths: Record<string, string> = {};

beforeAll(async () => {
	clients.ada = await fleet.as("ada");
	clients.dana = await fleet.as("dana");
	clients.nina = await fleet.as("nina");
	await insertRequest(sql, 1, "dana", { amount_cents: 2000 });
	await insertApproved(sql, 5, "dana", 1000);
	const payout = await gather(clients.ada, { all: true });
	paths.payout = `/payouts/${payout.id}`;
});

const asked = { intent: "process", id: requestId(1), status: "approved" };
const FAILED = "Failed to update fund request";

/** The title and the text of the page's toast. */
const toastOf = (html: string) =>
	[
		...(/class="[^"]*\btoast\b[\s\S]*?<\/details>/.exec(html)?.[0] ?? "").matchAll(
			/<p(?: [^>]*)?>(.*?)<\/p>/g,
		),
	]
		.map(([, text = ""]) => text.replaceAll("&#x27;", "'").replaceAll("&quot;", '"'))
		.join(" / ");

describe("a refused change", () => {
	it.each<[who: string, path: string, form: Record<string, string>, toast: string]>([
		[
			"ada",
			"/fund-requests",
			{ ...asked, approvedAmount: "5" },
			`Error / ${FAILED}. Give the reason for approving less than the $20.00 requested.`,
		],
		[
			"ada",
			"/fund-requests",
			{ ...asked, approvedAmount: "21" },
			`Error / ${FAILED}. Enter at most the $20.00 requested.`,
		],
		[
			"ada",
			"/fund-requests",
			{ ...asked, approvedAmount: " " },
			`Error / ${FAILED}. Enter the amount to approve.`,
		],
		[
			"ada",
			"/fund-requests",
			{ ...asked, id: UNKNOWN },
			`Error / ${FAILED}. Fund request not found.`,
		],
		[
			"ada",
			"/fund-requests",
			{ ...asked, status: "paid" },
			`Error / ${FAILED}. status must be approved or rejected.`,
		],
		[
			"ada",
			"/fund-requests",
			{ intent: "ask", id: requestId(1), text: "" },
			"Error / Failed to send the question. Write a message.",
		],
		[
			"ada",
			"/fund-requests",
			{ intent: "reopen", id: UNKNOWN },
			"Error / Failed to reopen the request. Fund request not found.",
		],
		[
			"ada",
			"/fund-requests",
			{ intent: "undo", id: UNKNOWN },
			"Error / Failed to undo the decision. ",
		],
		[
			"ada",
			"/payouts",
			{ gather: "requests" },
			"Error / Failed to create the payout. Select what to pay.",
		],
		[
			"ada",
			"payout",
			{ intent: "pay", paidOn: "soon" },
			"Error / Failed to mark the payout as paid. ",
		],
		["ada", "payout", { intent: "reopen", reason: "" }, "Error / Failed to reopen the payout. "],
		["ada", "/uber-fees", { intent: "delete", id: UNKNOWN }, "Error / Failed to delete Uber fee. "],
		[
			"ada",
			"/uber-fees/import",
			{ intent: "forget", id: UNKNOWN },
			"Error / Failed to remove the driver. ",
		],
		[
			"ada",
			"/mileage-reports",
			{ intent: "void", id: UNKNOWN, reason: "Twice" },
			"Error / Failed to void the entry. ",
		],
		[
			"ada",
			"/drivers?dialog=add-driver",
			{ intent: "add-driver", email: "not an email", firstName: "A", lastName: "B" },
			"Creation Failed / Failed to create driver. Please try again. ",
		],
		[
			"ada",
			"/drivers?dialog=create-admin",
			{ intent: "create-admin", email: CAST.dana.email, firstName: "A", lastName: "B" },
			"Creation Failed / Failed to create admin user. Please try again. ",
		],
		[
			"ada",
			"/drivers",
			{ intent: "approve", id: UNKNOWN },
			"Approval Failed / Failed to approve driver. Please try again. ",
		],
		[
			"ada",
			"/drivers",
			{ intent: "rename", id: idOf("dana"), firstName: "", lastName: "B" },
			"Rename Failed / ",
		],
		[
			"ada",
			"/drivers?dialog=add-many",
			{ intent: "add-many", people: "" },
			"Invitations Not Sent / ",
		],
		// These forms say why in their own words.
		["dana", "/mileage", { startOdometer: "1.5" }, "Error / Failed to create mileage log"],
		["dana", "/requests", { amount: "1,250" }, "Error / Failed to submit fund request"],
		["ada", "/uber-fees", { amount: "x" }, "Error / Failed to add Uber fee"],
		[
			"ada",
			"/settings",
			{ intent: "week", weekStartsOn: "x" },
			"Error / Failed to save the settings",
		],
		[
			"nina",
			"/profile",
			{ firstName: "www.example.com" },
			"Error / Failed to update profile. Please try again.",
		],
		["dana", "/mileage", { intent: "void", id: UNKNOWN }, "Error / Failed to void the entry. "],
		[
			"dana",
			"/requests",
			{ intent: "withdraw", id: UNKNOWN },
			"Error / Failed to withdraw the request. ",
		],
		[
			"dana",
			"/requests",
			{ intent: "add-receipt", id: UNKNOWN },
			"Error / Failed to save the receipt",
		],
		[
			"dana",
			"/requests",
			{ intent: "answer", requestId: requestId(1), text: "" },
			"Error / Failed to send your answer. ",
		],
	])("of %s at %s with %o says '%s'", async (who, path, form, toast) => {
		const answer = await clients[who]?.post(paths[path] ?? path, form);
		expect(answer?.status).toBeGreaterThanOrEqual(400);
		const shown = toastOf(answer?.text ?? "");
		expect(shown.slice(0, toast.length)).toBe(toast);
		// The reason is a whole sentence, once.
		if (shown !== toast.trimEnd()) expect(shown).toMatch(/\S[.!?]$/);
		expect(shown).not.toMatch(/\.\.$/);
	});

	it("keeps JSON's message to the reason alone", async () => {
		const answer = await clients.ada?.call("PUT", `/api/fund-requests/${requestId(1)}`, {
			status: "approved",
			approvedAmount: "5",
		});
		expect(answer?.status).toBe(400);
		expect(JSON.parse(answer?.text ?? "").message).not.toContain(FAILED);
	});
});
