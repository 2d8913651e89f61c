/** Every HTML response is valid, and none holds an inline script or style. */
import { type ConfigData, HtmlValidate } from "html-validate";
import { beforeAll, expect, it } from "vitest";
import { type CastName, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { multipart } from "../support/forms.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import {
	insertPublishedWeek,
	insertThread,
	insertWeek,
	settlementId,
} from "../support/settlements.ts";
import { unlistedScreens } from "../support/unlisted-screens.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const rules: ConfigData = {
	extends: ["html-validate:recommended", "html-validate:document"],
	rules: {
		// Follows how React writes HTML.
		"void-style": "off",
		"attr-case": "off",
		"attribute-boolean-style": "off",
		"attribute-empty-style": "off",
		"no-trailing-whitespace": "off",
		"long-title": "off",
		// A table's checkboxes share one name.
		"form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
		// Sign In cannot be a form's button (docs/decisions/0009).
		"prefer-native-element": ["error", { exclude: ["button"] }],
		// The stylesheet and scripts come from our own origin.
		"require-sri": "off",
	},
};
const validator = new HtmlValidate(rules);
// A visitor's page continues to sign-in with a meta refresh, since it has no script
// (docs/product.md, 'People, sign-in and gates').
const refreshing = new HtmlValidate({
	...rules,
	rules: { ...rules.rules, "meta-refresh": "off", "element-permitted-content": "off" },
});

const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const approved = await insertApproved(sql, 900, "omar", 1234);
const payout = await gather(await fleet.as("ada"), { requestIds: [approved] });
const week = await insertPublishedWeek(sql, 50, "dana");
await insertThread(sql, week, "dana");

/** A week with drafts of each kind, and what to check about it. */
const WEEK = "2026-10-05";
await insertWeek(sql, WEEK);

const PAGES: readonly (readonly [CastName | undefined, string])[] = [
	[undefined, "/"],
	[undefined, "/api/login"],
	[undefined, "/mileage"],
	[undefined, "/nowhere"],
	[undefined, "/offline"],
	[undefined, "/offline?note=saved"],
	[undefined, "/x.data"],
	["nina", "/"],
	["nora", "/"],
	["rex", "/"],
	["dana", "/"],
	["dana", "/mileage"],
	["dana", "/mileage?dialog=void&id=10000000-0000-4000-8000-000000000002"],
	["dana", "/mileage?correct=10000000-0000-4000-8000-000000000002"],
	["dana", "/requests?for=Gas"],
	["dana", "/history"],
	["dana", `/history?open=mileage-${logId(1)}`],
	["dana", `/history?open=request-${requestId(5)}`],
	["dana", "/help"],
	["dana", "/earnings"],
	["dana", `/earnings/${week}`],
	["dana", "/history?range=quarter&type=requests"],
	["lena", "/history?range=week&type=requests"],
	["dana", "/history/tax-year?year=1&format=pdf"],
	["dana", "/drivers"],
	["ada", "/"],
	["ada", "/drivers"],
	["ada", `/drivers/${idOf("dana")}`],
	["ada", "/find?q=1"],
	["ada", "/find?q=zz"],
	["ada", "/drivers?dialog=add-driver"],
	["ada", "/drivers?dialog=create-admin"],
	["ada", "/fund-requests"],
	["ada", "/fund-requests?status=pending&select=all"],
	["ada", "/fund-requests?type=other"],
	["ada", "/fund-requests?status=pending&flag=duplicate&startDate=2026-01-01&open=FR-000001"],
	["ada", "/fund-requests?open=FR-000004&changed=4"],
	[
		"ada",
		`/fund-requests?status=pending&dialog=bulk&ids=${requestId(1)}&ids=${requestId(2)}&ids=${requestId(4)}`,
	],
	["ada", "/fund-requests?status=pending&changed=4"],
	...["approve", "reject", "receipt", "timeline"].map(
		(dialog) => ["ada", `/fund-requests?dialog=${dialog}&id=${requestId(1)}`] as const,
	),
	["ada", "/payouts"],
	["ada", "/payouts?choose=all"],
	["ada", `/payouts/${payout.id}`],
	["ada", `/settlements?week=${WEEK}`],
	["ada", `/settlements?week=${WEEK}&select=all`],
	["ada", "/settlements?week=2026-01-05"],
	["ada", `/settlements/${settlementId(1)}`],
	["ada", `/settlements/${week}`],
	...["publish", "void"].map(
		(dialog) => ["ada", `/settlements/${settlementId(1)}?dialog=${dialog}`] as const,
	),
	["ada", "/mileage-reports"],
	["ada", "/mileage-reports?range=custom&startDate=2026-11-01"],
	["ada", `/mileage-reports?driver=${idOf("dana")}&range=quarter`],
	["ada", `/mileage-reports?driver=${idOf("ines")}&show=flagged`],
	["ada", `/mileage-reports?dialog=void&id=${logId(1)}`],
	["ada", "/uber-fees"],
	["ada", "/uber-fees/import"],
	["ada", "/audit"],
	["ada", "/drivers?search=dana"],
	["ada", "/email"],
	["ada", "/email?status=failed"],
	["ada", "/api/docs"],
	["nina", "/profile"],
	["ada", "/settings"],
	["ada", "/settings/tokens"],
	["ada", "/settings/webhooks"],
	["ada", `/drivers/${idOf("dana")}?dialog=agreement`],
	["ada", `/drivers/${idOf("dana")}?dialog=charge`],
	["ada", "/account"],
	["dana", "/account"],
	["ada", `/uber-fees?replace=${feeId(1)}`],
	["ada", `/uber-fees?dialog=edit&id=${feeId(1)}`],
	["ada", `/uber-fees?dialog=delete&id=${feeId(1)}`],
	["ada", "/reports"],
	["ada", "/reports?report=invalid&type=weekly&range=custom&startDate=2026-02-30&format=pdf"],
	["ada", "/reports?report=too-long&type=driver&range=current_month&format=pdf&paper=a4"],
	["ada", "/reports?log=no-driver&driverId=x&year=99999&format=pdf"],
];

it("are all screens", () => {
	expect(unlistedScreens(PAGES.map(([, path]) => path))).toEqual([]);
});

beforeAll(async () => {
	const [one, two] = [await insertReceipt(sql, 1, "dana"), await insertReceipt(sql, 11, "omar")];
	await insertRequest(sql, 1, "dana", {
		receipt_id: one,
		is_possible_duplicate: 1,
		description: "Fuel <1>\n& oil",
	});
	await insertRequest(sql, 2, "omar", { receipt_id: two, amount_cents: 9000 });
	await insertRequest(sql, 3, "omar", { receipt_name: "a name.jpg", amount_cents: 9000 });
	await insertLog(sql, 1, "dana", daysAgo(1), 40, {
		gap_miles: 12,
		is_long: 1,
		notes: "Two\nlines <1>",
	});
	await insertLog(sql, 2, "dana", daysAgo(2), 40, {
		voided_at: 1,
		voided_by: idOf("ada"),
		void_reason: "Wrong\n<van>",
	});
	await insertFee(sql, 1, "dana", "2026-11-02", {
		category: "service_fee",
		reference_number: "UB-<1>",
		description: "Two\nlines",
	});
	// Without spending, the overview has no charts to check.
	await insertRequest(sql, 5, "dana", {
		status: "approved",
		decided_at: currentTime(),
		decided_by: idOf("ada"),
	});
	await insertRequest(sql, 4, "omar", {
		status: "rejected",
		decided_at: currentTime(),
		decided_by: idOf("ada"),
		admin_notes: "No",
	});
});

async function check(html: string, where: string): Promise<void> {
	expect(html, where).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle="|\son[a-z]+="/i);
	const validate =
		html.includes('http-equiv="refresh"') || html.includes('httpEquiv="refresh"')
			? refreshing
			: validator;
	const report = await validate.validateString(html);
	expect(
		report.results.flatMap(({ messages }) =>
			messages
				.filter(({ ruleId, message }) => !(ruleId === "form-dup-name" && isReceipt(message)))
				.map(
					({ ruleId, message, line, column }) =>
						`${where}: ${ruleId}: ${message} (${line}:${column})`,
				),
		),
	).toEqual([]);
}

/**
 * The receipt has two file fields, one of them for the camera, and the server reads whichever has a
 * file.
 */
const isReceipt = (message: string) => message.includes('"receipt"');

it.each(PAGES)("the HTML is valid for %s on %s", async (who, path) => {
	const client = who ? await fleet.as(who) : fleet.client();
	await check((await client.get(path)).text, `${who ?? "visitor"} ${path}`);
});

/** The classes that a style sheet has rules for. */
const classesIn = (styles: string) =>
	new Set(
		[...styles.matchAll(/\.(-?[a-z](?:\\.|[\w-])*)/g)].map(([, name = ""]) =>
			name.replaceAll("\\", ""),
		),
	);

it.each(PAGES)("the styles have a rule for each class for %s on %s", async (who, path) => {
	const client = who ? await fleet.as(who) : fleet.client();
	const { text, styles } = await client.get(path);
	const own = classesIn(styles);
	const everyones = classesIn((await (await fleet.as("ada")).get("/")).styles);
	const used = [...text.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) =>
		names.split(" "),
	);
	expect(used.filter((name) => everyones.has(name) && !own.has(name))).toEqual([]);
});

it("drivers' pages have fewer styles than administrators'", async () => {
	const [driver, administrator] = [await fleet.as("dana"), await fleet.as("ada")];
	const styles = classesIn((await driver.get("/mileage")).styles);
	expect(styles.size).toBeGreaterThan(200);
	expect(styles).not.toContain("desk");
	expect((await administrator.get("/fund-requests")).styles).toContain(".desk");
});

it("the HTML is valid for a driver search", async () => {
	await fleet.sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
		with recursive n(value) as (select 1 union all select value + 1 from n where value < 60)
		select printf('70000000-0000-4000-8000-%012d', value), 'driver', 'Zed', printf('Zz%03d', value), 'approved', value + 100, 1 from n`);
	const admin = await fleet.as("ada");
	await check(
		(await admin.post("/uber-fees", { driverSearch: "zz", intent: "find-driver" })).text,
		"POST /uber-fees",
	);
	await check((await admin.get("/audit?personSearch=zz01&person=all")).text, "/audit");
	await fleet.sql("delete from users where id like '70000000-%'");
});

it("the HTML is valid for refused forms", async () => {
	const driver = await fleet.as("dana");
	await check(
		(await driver.post("/mileage", { startOdometer: "x", notes: "n" })).text,
		"POST /mileage",
	);
	await check(
		(await fleet.client().post("/mileage", { startOdometer: "1", notes: "a\nb" })).text,
		"POST /mileage as a visitor",
	);
	await check((await (await fleet.as("nina")).post("/profile", {})).text, "POST /profile");
	const admin = await fleet.as("ada");
	await check(
		(await admin.post("/fund-requests", { intent: "bulk-approve", ids: requestId(4) })).text,
		"POST /fund-requests",
	);
	await check(
		(
			await admin.post(`/fund-requests?dialog=approve&id=${requestId(1)}`, {
				intent: "process",
				id: requestId(1),
				status: "approved",
				adminNotes: "x".repeat(2001),
			})
		).text,
		"POST /fund-requests with a long note",
	);
	await check(
		(
			await admin.post(`/mileage-reports?dialog=void&id=${logId(1)}`, {
				intent: "void",
				id: logId(1),
			})
		).text,
		"POST /mileage-reports without a reason",
	);
	await check(
		(
			await admin.postAndFollow("/reports/generate", {
				type: "weekly",
				range: "custom",
				format: "pdf",
			})
		).text,
		"POST /reports/generate",
	);
	await check(
		(await admin.postAndFollow("/reports/mileage-log", { year: "26", format: "csv" })).text,
		"POST /reports/mileage-log",
	);
	await check(
		(await admin.post("/uber-fees", { amount: "1,250", date: "x", description: "a\nb" })).text,
		"POST /uber-fees",
	);
	const statement =
		"driver,category,amount,date,reference\nDRV-0001,other,1,2026-01-01,\nDRV-0999,tips,x,y,z";
	const upload = await multipart(
		{ intent: "upload" },
		{ bytes: new TextEncoder().encode(statement), name: "fees.csv" },
		"file",
	);
	const sent = await admin.request("/uber-fees/import", upload);
	const preview = await admin.get(sent.headers.get("Location") ?? "");
	await check(preview.text, "GET /uber-fees/import");
	await check(
		(
			await admin.request(
				"/uber-fees/import",
				await multipart({ intent: "upload" }, undefined, "file"),
			)
		).text,
		"no file",
	);
	await check(
		(await fleet.client().post("/api/login", { email: "no address" })).text,
		"POST /api/login",
	);
	await check(
		(
			await (
				await fleet.as("ada")
			).post("/drivers?dialog=add-driver", { intent: "add-driver", email: "x" })
		).text,
		"POST /drivers",
	);
	await check(
		(
			await fleet
				.client()
				.post(
					"/api/login",
					{},
					{ headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" } },
				)
		).text,
		"forged",
	);
});
