/** The payout screens in a browser without JavaScript. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { deletePayouts, gather, insertApproved } from "../support/payouts.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const [ada, ben, dana] = [await fleet.as("ada"), await fleet.as("ben"), await fleet.as("dana")];
const run = fleet.sql.bind(fleet);
const plain = (html: string) =>
	html
		.replace(/<script[\s\S]*?<\/script>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");

beforeEach(() => deletePayouts(run));

describe("what was paid", () => {
	it("is filtered by driver, days, status and reference, on screen, as a file and in JSON", async () => {
		const day = (days: number) => daysAgo(days);
		const paidOn = [day(40), day(10), undefined] as const;
		for (const [each, on] of paidOn.entries()) {
			const at = Date.parse(day(60));
			const old = { requested_on: day(60), created_at: at, decided_at: at };
			const own = await insertApproved(run, each * 2 + 1, "dana", 1000 * (each + 1), old);
			const other = await insertApproved(run, each * 2 + 2, "omar", 1, old);
			const { id } = await gather(ada, { requestIds: each === 1 ? [own] : [own, other] });
			const paid = { status: "paid", paidOn: on, reference: `ACH ${each}` };
			if (on) await ada.call("PUT", `/api/payouts/${id}`, paid);
		}
		const driver = idOf("dana");
		const cases: [query: string, json: string, numbers: string[], words: string][] = [
			["status=paid", "status=paid", ["2", "1"], "Paid payouts 2 payouts · $30.01"],
			["status=open", "status=open", ["3"], "Open payouts 1 payout · $30.01"],
			["status=cancelled", "status=cancelled", [], "No canceled payouts"],
			[
				`driver=${driver}`,
				`driverId=${driver}`,
				["3", "2", "1"],
				"Dana Driver (DRV-0001): $60.00 in 3 payouts",
			],
			[
				`driver=${driver}&paidFrom=${day(45)}&paidTo=${day(10)}`,
				`driverId=${driver}&paidFrom=${day(45)}&paidTo=${day(10)}`,
				["2", "1"],
				"Dana Driver (DRV-0001): $30.00 in 2 payouts",
			],
			[
				`driver=${driver}&paidFrom=${day(9)}`,
				`driverId=${driver}&paidFrom=${day(9)}`,
				[],
				"No payouts found",
			],
			[
				`driver=${idOf("omar")}&status=paid`,
				`driverId=${idOf("omar")}&status=paid`,
				["1"],
				"Omar Okafor (DRV-0002): $0.01 in 1 payout",
			],
			[`paidTo=${day(11)}`, `paidTo=${day(11)}`, ["1"], "1 payout · $10.01"],
			["reference=ach+1", "reference=ach+1", ["2"], "1 payout · $20.00"],
			["reference=ach_1", "reference=ach_1", [], "No payouts found"],
		];
		for (const [query, json, numbers, words] of cases) {
			const names = numbers.map((number) => `PO-00000${number}`);
			const { text, headers } = await ada.get(`/payouts?${query}`);
			expect(headers.get("Server-Timing"), query).toContain("1 trip,");
			expect(
				[...text.matchAll(/>(PO-\d+)<\/a>/g)].map(([, name]) => name),
				query,
			).toEqual(names);
			expect(plain(text), query).toContain(words);
			// A tab is no filter, and nothing is added up where nothing is found.
			expect(text.includes("Clear filters"), query).toBe(!/^status=\w+$/.test(query));
			expect(/\d payouts? · \$|in \d payout/.test(plain(text)), query).toBe(words.includes("$"));
			const file = await ada.get(`/payouts/export.csv?${query}`);
			const rows = file.text.trim().split("\r\n").slice(1);
			expect(
				rows.map((row) => row.slice(0, 9)),
				query,
			).toEqual(names);
			const sum = rows.reduce((all, row) => all + Number(row.split(",").at(-2)), 0);
			// A chosen driver's file counts that driver's part, like its amounts.
			if (query.startsWith("driver="))
				expect(
					rows.map((row) => row.split(",").slice(5, 7).join()),
					query,
				).toEqual(names.map(() => "1,1"));
			if (words.includes("$")) expect(words, query).toContain(`$${sum.toFixed(2)}`);
			const list = JSON.parse((await ada.call("GET", `/api/payouts?${json}`)).text);
			expect(
				list.map(({ number }: { number: string }) => number),
				query,
			).toEqual(names);
		}
		for (const bad of [
			"paidFrom=x",
			"status=x",
			"driverId=x",
			`paidFrom=${day(1)}&paidTo=${day(2)}`,
		])
			expect((await ada.call("GET", `/api/payouts?${bad}`)).status, bad).toBe(400);
		expect((await dana.get("/payouts/export.csv")).status).toBe(403);

		const person = plain((await ada.get(`/drivers/${driver}`)).text);
		expect(person).toMatch(/To be paid \$30\.00/);
		const ofYear = paidOn.filter((on) => on && on.slice(0, 4) === day(0).slice(0, 4)).length;
		expect(person).toContain(`Paid this year $${[0, 20, 30][ofYear]}.00`);
		for (const number of ["PO-000001", "PO-000002", "PO-000003"]) expect(person).toContain(number);
		const history = plain((await dana.get("/history?range=quarter")).text);
		expect(history).toContain("Paid $30.00 2 requests To be paid $30.00 1 request");
		expect(plain((await dana.get("/history?type=mileage")).text)).not.toContain("To be paid");
	});
});

describe("/payouts", () => {
	it("shows what is unpaid by driver, and puts it all into one payout with one button", async () => {
		await insertApproved(run, 1, "dana", 12_50);
		await insertApproved(run, 2, "omar", 30_00);
		await insertApproved(run, 3, "omar", 5_00);
		const { text } = await ada.get("/payouts");
		expect(plain(text)).toMatch(/Ready to pay \$47\.50 3 requests/);
		// Largest amount first.
		expect(text.indexOf("Omar Okafor")).toBeLessThan(text.indexOf("Dana Driver"));
		const form = formWith(text, "Create payout of $47.50");
		const answer = await ada.post(form.action, form.fields);
		expect(answer.status).toBe(303);
		const page = await ada.get(answer.headers.get("Location") ?? "");
		expect(plain(page.text)).toContain(
			"PO-000001 is open. Mark it as paid once the money has left.",
		);
		// Sending the same form again returns the same payout.
		const again = await ada.post(form.action, form.fields);
		expect(again.headers.get("Location")).toBe(answer.headers.get("Location"));
		const after = plain((await ada.get("/payouts")).text);
		expect(after).toContain("Nothing is approved and unpaid.");
		expect(after).toMatch(/In open payouts \$47\.50 3 requests/);
	});

	it("creates a payout for one driver", async () => {
		await insertApproved(run, 1, "dana", 12_50);
		await insertApproved(run, 2, "omar", 30_00);
		const { text } = await ada.get("/payouts");
		const form = formsIn(text).find(({ fields }) => fields.driverId === idOf("dana"));
		const answer = await ada.post(form?.action ?? "", form?.fields ?? {});
		expect(plain((await ada.get(answer.headers.get("Location") ?? "")).text)).toContain(
			"Dana Driver DRV-0001 $12.50",
		);
		expect(plain((await ada.get("/payouts")).text)).toMatch(/Ready to pay \$30\.00/);
	});

	const isTicked = (id = "") => new RegExp(`value="${id}"[^>]*checked|checked[^>]*value="${id}"`);
	it("includes the selected requests, needs at least one, and says what prevents a payout", async () => {
		const ids = [
			await insertApproved(run, 1, "dana", 1_00),
			await insertApproved(run, 2, "dana", 2_00),
			await insertApproved(run, 3, "omar", 4_00),
		];
		const path = `/payouts?choose=${idOf("dana")}`;
		const { text } = await ada.get(path);
		expect(text).toContain(`value="${ids[1]}"`);
		expect(text).not.toContain(`value="${ids[2]}"`);
		const form = formWith(text, "Create payout");
		const none = await ada.post(form.action, form.fields);
		expect([none.status, none.text.includes("Select what to pay")]).toEqual([400, true]);
		await gather(ben, { requestIds: [ids[0]] });
		const refused = await ada.post(form.action, { ...form.fields, ids: ids.slice(0, 2).join(" ") });
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toContain("No payout was created. FR-000001 is in PO-000001.");
		expect(refused.text).toMatch(isTicked(ids[1]));
		const send = () => ada.post(form.action, { ...form.fields, ids: ids[1] ?? "" });
		const made = await send();
		expect(made.status).toBe(303);
		const there = made.headers.get("Location") ?? "";
		expect((await ada.get(there)).text).toContain("PO-000002 is open.");
		expect((await ada.post(there, { intent: "cancel" })).status).toBe(303);
		await ada.get(there);
		expect((await send()).headers.get("Location")).toBe(there);
		const again = (await ada.get(there)).text;
		expect(again).toContain("Already received: PO-000002");
		expect(again).not.toContain("is open.");
		const all = (await ada.get("/payouts?choose=all&select=all")).text;
		expect(all).toMatch(isTicked(ids[2]));
		expect((await ada.post("/payouts", { gather: "some" })).status).toBe(400);
	});

	it("paginates payouts, drivers and requests, forward and back", async () => {
		await fleet.sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description,
			status, source, created_at, requested_on, decided_at, decided_by, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
			select printf('30000000-0000-4000-8000-%012d', i), i, '${idOf("dana")}', 'gas', 100, 'x',
				'approved', 'seed', 1, '2026-11-01', 1, '${idOf("ada")}', 'x' from n`);
		const first = (await ada.get("/payouts?choose=all")).text;
		const next = /href="([^"]*unpaidAfter[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
		expect((await ada.get(next)).text).toContain("FR-000060");
		for (let each = 1; each <= 22; each++) await gather(ada, { requestIds: [requestId(each)] });
		const page = (await ada.get("/payouts?status=all")).text;
		expect([page.includes("PO-000022"), page.includes("PO-000002")]).toEqual([true, false]);
		const older = /href="(\/payouts\?status=all&amp;after=[^"]*)"/.exec(page)?.[1] ?? "";
		const second = (await ada.get(older.replace("&amp;", "&"))).text;
		expect([second.includes("PO-000002"), second.includes("PO-000022")]).toEqual([true, false]);
		expect(second).toContain("Previous page");
	});

	it("has tabs for what is to be paid and for the payouts by status, which keep the filters", async () => {
		expect((await ada.get("/payouts")).text, "none is open").toContain(">Open</a>");
		await insertApproved(run, 1, "dana", 12_50);
		await gather(ada, { all: true });
		const tabs = async (path: string) => {
			const { text } = await ada.get(path);
			const nav = /<nav aria-label="Payouts by status"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
			expect(text.includes("Approved and unpaid"), path).toBe(path === "/payouts");
			expect(text.includes("PO-000001</a>"), path).toBe(/open|all|driver/.test(path));
			return [
				/aria-current="page">([^<]*)</.exec(nav)?.[1],
				...[...nav.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) =>
					href.replaceAll("&amp;", "&"),
				),
			];
		};
		const paths = [
			"/payouts",
			"/payouts?status=open",
			"/payouts?status=paid",
			"/payouts?status=all",
		];
		const words = ["To pay", "Open 1", "Paid", "All"];
		for (const [at, path] of paths.entries())
			expect(await tabs(path)).toEqual([words[at], ...paths]);
		const driver = `driver=${idOf("dana")}`;
		expect(await tabs(`/payouts?${driver}`)).toEqual([
			"All",
			"/payouts",
			...["open", "paid", "all"].map((status) => `/payouts?${driver}&status=${status}`),
		]);
		// The number is that of the tab's list, which other filters shorten.
		expect((await tabs(`/payouts?status=open&${driver}`))[0]).toBe("Open");
	});

	it("shows when the books were last checked", async () => {
		expect(plain((await ada.get("/payouts")).text)).toContain("The books are checked every night.");
		await insertApproved(run, 1, "dana", 12_50);
		const worker = await fleet.worker.getWorker();
		await worker.scheduled({
			cron: "* * * * *",
			scheduledTime: new Date(Date.parse(`${daysAgo(0)}T17:00Z`)),
		});
		// Without the night's sums, which the cards above would contradict by now.
		expect(plain((await ada.get("/payouts")).text)).toMatch(
			/Books checked [^$]*: they balance\.(?! \$)/,
		);
		expect(fleet.lines.some((line) => line.startsWith('{"books"'))).toBe(true);
		expect(plain((await ada.get("/audit?kind=books.check")).text)).toContain(
			"Milepost checked the books",
		);
	});

	it("is in the navigation, with its total on the overview", async () => {
		await insertApproved(run, 1, "dana", 12_50);
		await gather(ada, { all: true });
		await insertApproved(run, 2, "dana", 2_50);
		const { text } = await ada.get("/");
		expect(text).toContain('href="/payouts"');
		expect(plain(text)).toContain(
			"$15.00 approved but unpaid 2 requests, $12.50 of it in open payouts.",
		);
	});
});

describe("a sum that changed while it was on the screen", () => {
	it.each([
		["of everything", "Create payout of $12.50"],
		["of one driver", "for Dana Driver, $12.50"],
	])("isn't paid unseen: %s", async (_, button) => {
		await insertApproved(run, 1, "dana", 12_50);
		const { fields } = formWith((await ada.get("/payouts")).text, button);
		await insertApproved(run, 2, "dana", 900_00);
		const refused = await ada.post("/payouts", fields);
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toContain("2 requests, $912.50. Nothing was created.");
		const again = formWith(refused.text, button.replace("12.50", "912.50")).fields;
		expect((await ada.post("/payouts", again)).status).toBe(303);
		expect(await run("select total_cents from payouts")).toEqual([{ total_cents: 912_50 }]);
	});
});

describe("a payout's page", () => {
	it("marks it paid, undoes that from the toast, and cancels it", async () => {
		const made = await gather(ada, { requestIds: [await insertApproved(run, 1, "dana", 12_50)] });
		const path = `/payouts/${made.id}`;
		const open = (await ada.get(path)).text;
		const form = formWith(open, "Mark $12.50 as paid");
		expect(form.fields).toMatchObject({ intent: "pay", paidOn: daysAgo(0), reference: "" });
		const paid = await ada.postAndFollow(form.action, { ...form.fields, reference: "Check 7" });
		expect(plain(paid.text)).toMatch(/Payout paid Its drivers will get an email in 10 minutes\./);
		expect(plain(paid.text)).toContain("PO-000001 was paid by Ada Admin on");
		const undo = formWith(paid.text, "Undo");
		const undone = await ada.postAndFollow(undo.action, undo.fields);
		expect(plain(undone.text)).toContain("Payout reopened");
		const dialog = formWith((await ada.get(`${path}?dialog=cancel`)).text, 'value="cancel"');
		const cancelled = await ada.postAndFollow(dialog.action, dialog.fields);
		expect(plain(cancelled.text)).toContain("PO-000001 was canceled by Ada Admin on");
		expect(cancelled.text).not.toContain("Mark $12.50 as paid");
	});

	it.each([
		["the toast of an earlier payment", "", "Undo"],
		["a dialog about an earlier payment", "?dialog=reopen", "Reopening..."],
	])("isn't reopened by %s", async (_, query, button) => {
		const made = await gather(ada, { requestIds: [await insertApproved(run, 1, "dana", 12_50)] });
		const path = `/payouts/${made.id}`;
		const pay = async (reference: string) => {
			const form = formWith((await ada.get(path)).text, "Mark $12.50 as paid");
			return ada.postAndFollow(form.action, { ...form.fields, reference });
		};
		const paid = await pay("Check 7");
		const old = formWith(query ? (await ada.get(path + query)).text : paid.text, button);
		// In another window, the payment is corrected.
		await ada.call("PUT", `/api/payouts/${made.id}`, { status: "open" });
		await pay("Check 8");
		const refused = await ada.post(old.action, { ...old.fields, reason: "The wrong check" });
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toContain(
			"PO-000001 was paid again since this page was opened. Nothing was changed.",
		);
		if (query) expect(refused.text).toContain("The wrong check</textarea>");
		expect(await run("select status, reference from payouts")).toEqual([
			{ status: "paid", reference: "Check 8" },
		]);
	});

	it("has no bills once it's canceled, since its requests are billed with another", async () => {
		const made = await gather(ada, { requestIds: [await insertApproved(run, 1, "dana", 12_50)] });
		const path = `/payouts/${made.id}`;
		const file = (format: string) => ada.get(`${path}/export.csv?format=${format}`);
		expect((await file("xero")).status).toBe(200);
		await ada.call("PUT", `/api/payouts/${made.id}`, { status: "cancelled" });
		const { text } = await ada.get(path);
		for (const [format, status] of [
			["drivers", 200],
			["requests", 200],
			["xero", 409],
			["quickbooks", 409],
		] as const) {
			expect((await file(format)).status, format).toBe(status);
			expect(text.includes(`format=${format}`), format).toBe(status === 200);
		}
		expect(text).not.toContain("PDF to sign");
	});

	it("says which bills to void before and after it's canceled, and where its requests are next", async () => {
		const danas = await insertApproved(run, 1, "dana", 12_50);
		const omars = await insertApproved(run, 2, "omar", 7_00);
		const made = await gather(ada, { requestIds: [danas, omars] });
		const path = `/payouts/${made.id}`;
		const dialog = async () => plain((await ada.get(`${path}?dialog=cancel`)).text);
		expect(await dialog()).not.toContain("void");
		await ada.get(`${path}/export.csv?format=xero`);
		const bills =
			/void these 2 bills there, or they are paid twice: PO-000001-DRV-0001 PO-000001-DRV-0002/;
		expect(await dialog()).toMatch(/Its bills were downloaded on \w{3} \d+, \d{4} at /);
		expect(await dialog()).toMatch(bills);
		expect(plain((await ada.get(path)).text)).not.toContain("void");
		await ada.post(path, { intent: "cancel" });
		const words = /PO-000001 was canceled, but its bills were downloaded on /;
		const page = async (id: string) => plain((await ada.get(`/payouts/${id}`)).text);
		expect(await page(made.id)).toMatch(words);
		const next = await gather(ada, { requestIds: [omars] });
		expect(await page(next.id)).toMatch(words);
		expect(await page(next.id)).toMatch(bills);
		const other = await gather(ada, {
			requestIds: [await insertApproved(run, 3, "omar", 1_00)],
		});
		expect(await page(other.id)).not.toContain("void");
		await ada.post(`/payouts/${next.id}`, { intent: "cancel" });
		expect((await page(made.id)).match(/void/g)).toHaveLength(1);
		expect(await page(next.id)).not.toContain("PO-000002 was canceled, but");
	});

	it("shows errors under their fields, and keeps what was typed", async () => {
		const made = await gather(ada, { requestIds: [await insertApproved(run, 1, "dana", 12_50)] });
		const path = `/payouts/${made.id}`;
		const future = await ada.post(path, { intent: "pay", paidOn: daysAgo(-2), reference: "ACH 9" });
		expect(future.status).toBe(400);
		expect(future.text).toContain("The date can&#x27;t be in the future");
		expect(future.text).toContain('value="ACH 9"');
		const early = await ada.post(path, { intent: "pay", paidOn: daysAgo(1), reference: "ACH 9" });
		expect(early.status).toBe(400);
		expect(plain(early.text)).toMatch(
			/It can&#x27;t be paid before its newest request, of \w{3} \d+, \d{4}\. .*It can&#x27;t be paid before/,
		);
		expect(early.text).toContain('value="ACH 9"');
		expect(early.text).toContain(`min="${daysAgo(0)}"`);
		await ada.post(path, { intent: "pay", paidOn: daysAgo(0), reference: "" });
		const bare = await ben.post(`${path}?dialog=reopen`, { intent: "reopen", reason: "" });
		expect(bare.status).toBe(400);
		expect(bare.text).toContain("Give a reason: its drivers will get it by email");
		const told = await ben.postAndFollow(`${path}?dialog=reopen`, {
			intent: "reopen",
			reason: "Bounced",
		});
		expect(plain(told.text)).toContain("Payout reopened");
		await ada.post(path, { intent: "pay", paidOn: daysAgo(0), reference: "" });
		const silent = formWith((await ada.get(`${path}?dialog=reopen`)).text, "Reopen payout");
		expect(silent.fields).toMatchObject({ isSilent: "on" });
		await run("update payouts set paid_at = paid_at - 660000 where id = ?", made.id);
		const late = await ada.post(silent.action, { ...silent.fields, reason: "For us" });
		expect(late.status).toBe(409);
		expect(plain(late.text)).toContain("the reason is emailed to its drivers");
		const again = formWith(late.text, "Reopen payout").fields;
		expect([again.reason, again.isSilent]).toEqual(["For us", undefined]);
		expect((await ada.post(path, { intent: "burn" })).status).toBe(400);
		expect((await ada.get(`/payouts/${requestId(5)}`)).status).toBe(404);
		expect((await ada.post(`/payouts/${requestId(5)}`, { intent: "cancel" })).status).toBe(404);
	});

	it("offers no payment to someone who would pay themselves", async () => {
		const made = await gather(ada, {
			requestIds: [await insertApproved(run, 1, "ada", 12_50, { decided_by: idOf("ben") })],
		});
		const own = (await ada.get(`/payouts/${made.id}`)).text;
		expect(own).toContain("Another administrator has to mark it as paid.");
		expect(own).not.toContain('value="pay"');
		const answer = await ada.post(`/payouts/${made.id}`, { intent: "pay", paidOn: daysAgo(0) });
		expect(answer.status).toBe(409);
	});

	it("is in the request's history and in the audit", async () => {
		const id = await insertRequest(run, 1, "dana");
		await ada.call("PUT", `/api/fund-requests/${id}`, { status: "approved" });
		const made = await gather(ada, { requestIds: [id] });
		await ada.call("PUT", `/api/payouts/${made.id}`, { status: "paid", paidOn: daysAgo(0) });
		await ben.call("PUT", `/api/payouts/${made.id}`, { status: "open", reason: "Bounced" });
		await ada.call("PUT", `/api/payouts/${made.id}`, { status: "cancelled" });
		const history = plain((await ada.get(`/fund-requests?dialog=timeline&id=${id}`)).text);
		for (const words of [
			"Added to PO-000001 by Ada Admin",
			"Paid in PO-000001 by Ada Admin",
			"Payout reopened: PO-000001 by Ben Backup",
			"Bounced",
			"Unpaid again: canceled PO-000001 by Ada Admin",
		])
			expect(history).toContain(words);
		const audit = plain((await ada.get("/audit")).text);
		for (const words of [
			"created PO-000001",
			"marked PO-000001 as paid",
			"reopened PO-000001",
			"canceled PO-000001",
		])
			expect(audit).toContain(words);
		// The driver is only shown payments.
		expect(plain((await dana.get("/requests")).text)).not.toContain("PO-000001");
	});
});
