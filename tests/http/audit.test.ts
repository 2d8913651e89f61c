/** The audit: how it words entries, how it is searched, and what a search costs. */

import { beforeEach, describe, expect, it } from "vitest";
import { KINDS } from "../../app/domain/kernel/audit-kinds.ts";
import { addDays, startOfDay } from "../../app/values/calendar-date.ts";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { costOf } from "../support/cost.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");

/** The entries on a page: the sentence of each, and its details. */
const entries = ({ text }: Answer) =>
	[...text.matchAll(/<tr id="entry-(\d+)">([\s\S]*?)<\/tr>/g)].map(([, id = "", row = ""]) => {
		const cells = [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) =>
			cell.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|"),
		);
		return {
			id: Number(id),
			says: (cells[1] ?? "").replaceAll("|", ""),
			details: (cells[2] ?? "").replace(/^\||\|$/g, ""),
		};
	});
let next = 0;
const write = (more: Record<string, string | number | null>) => {
	next += 1;
	const row = {
		at: currentTime() + next,
		actor_id: idOf("ada"),
		actor_role: "admin",
		action: "user.activate",
		entity: "user",
		entity_id: idOf("dana"),
		...more,
	};
	return insertRow(sql, "audit_events", row);
};

describe("an entry", () => {
	it("describes a decision with its number, driver, note and a link to the request", async () => {
		const id = await insertRequest(sql, 12, "dana");
		await ada.post("/fund-requests", {
			intent: "process",
			id,
			status: "approved",
			adminNotes: "Two lines\n<of note>",
		});
		await ada.post("/fund-requests", { intent: "undo", id });
		const page = await ada.get("/audit");
		expect(page.status).toBe(200);
		expect(costOf(page).trips).toBe(1);
		const [undone, approved] = entries(page);
		expect(approved?.says).toBe("Ada Admin approved FR-000012 for Dana Driver (DRV-0001)");
		expect(approved?.details).toContain("Status: |Pending → Approved");
		expect(approved?.details).toContain("Note: |Two lines\n&lt;of note&gt;");
		expect(undone?.says).toBe(
			"Ada Admin undid the decision on FR-000012 for Dana Driver (DRV-0001)",
		);
		expect(page.text).toContain(`href="/fund-requests?open=FR-000012"`);
		expect((await ada.get(`/fund-requests?dialog=timeline&id=${id}`)).text).toContain("<dialog");
	});

	it.each<[string, Record<string, string | number | null>, string, string]>([
		[
			"a driver approved",
			{
				action: "driver.approve",
				entity_id: idOf("nora"),
				before: '{"approvalStatus":"pending"}',
				after: '{"approvalStatus":"approved","driverNumber":7}',
			},
			"Ada Admin approved Nora Newcomer as a driver",
			"Application: |Pending → Approved|Driver ID: |DRV-0007",
		],
		[
			"a name corrected",
			{
				action: "driver.rename",
				before: '{"firstName":"Dana","lastName":"Driver"}',
				after: '{"firstName":"Dana","lastName":"Diver"}',
			},
			"Ada Admin corrected the name of Dana Driver (DRV-0001)",
			"Last name: |Driver → Diver",
		],
		[
			"the command line",
			{
				action: "user.change-role",
				actor_id: null,
				actor_role: "command line",
				before: '{"role":"driver"}',
				after: '{"role":"none"}',
			},
			"The command line changed the role of Dana Driver (DRV-0001)",
			"Role: |Driver → No role",
		],
		[
			"what was erased with a driver's personal data",
			{
				action: "driver.rename",
				before: `{"erased":"${"a".repeat(64)}"}`,
				after: `{"erased":"${"b".repeat(64)}"}`,
				reason: `{"erased":"${"c".repeat(64)}"}`,
			},
			"Ada Admin corrected the name of Dana Driver (DRV-0001)",
			"Details: |erased|Reason: |erased",
		],
		[
			"a first sign-in",
			{
				action: "driver.join",
				actor_id: null,
				actor_role: "visitor",
				entity_id: idOf("nina"),
				after: '{"issuer":"local-sign-in"}',
			},
			"nina@milepost.test signed in for the first time",
			"Signed in with: |local-sign-in",
		],
		[
			"an invitation used",
			{
				action: "invitation.claim",
				actor_id: null,
				actor_role: "visitor",
				entity_id: idOf("ines"),
			},
			"Inès Invited (DRV-0005) accepted the invitation",
			"",
		],
		[
			"a completed profile",
			{
				action: "profile.complete",
				actor_id: idOf("nora"),
				actor_role: "driver",
				entity_id: idOf("nora"),
			},
			"Nora Newcomer completed their profile",
			"",
		],
		[
			"a change by Milepost itself",
			{
				action: "user.deactivate",
				actor_id: null,
				actor_role: "system",
				before: '{"isActive":1}',
				after: '{"isActive":0}',
			},
			"Milepost deactivated Dana Driver (DRV-0001)",
			"Active: |yes → no",
		],
		[
			"requests moved to another time zone",
			{
				action: "request.redate",
				actor_id: null,
				actor_role: "command line",
				entity: "fund-requests",
				entity_id: "Asia/Tokyo",
				after: '{"requests":1200,"timeZone":"Asia/Tokyo"}',
			},
			"The command line moved fund requests to a new time zone",
			"Requests: |1,200|Time zone: |Asia/Tokyo",
		],
		[
			"an unknown kind of action",
			{ action: "user.teleport", reason: "Because" },
			"Ada Admin user.teleport Dana Driver (DRV-0001)",
			"Reason: |Because",
		],
	])("describes %s", async (_, row, says, details) => {
		await write(row);
		expect(entries(await ada.get("/audit"))[0]).toMatchObject({ says, details });
	});

	it("describes a trip, a void with its reason, a fee and its deletion in dates, miles and dollars", async () => {
		const dana = await fleet.as("dana");
		await dana.post("/mileage", {
			date: today,
			startOdometer: "90000",
			endOdometer: "90100",
			confirm: "yes",
		});
		const [log] = await fleet.sql<{ id: string }>(
			"select id from mileage_logs where start_miles = 90000",
		);
		await dana.post("/mileage", { intent: "void", id: log?.id ?? "" });
		const fee = await insertFee(sql, 1, "omar", "2026-11-02", {
			category: "service_fee",
			amount_cents: 123_450,
		});
		await ada.post("/uber-fees", { intent: "delete", id: fee });
		const [deleted, voided, logged] = entries(await ada.get("/audit"));
		expect(logged?.says).toBe("Dana Driver logged a mileage log");
		expect(logged?.details).toContain("Starting odometer: |90,000|Ending odometer: |90,100");
		expect(voided?.says).toBe("Dana Driver voided a mileage log");
		expect(deleted?.says).toBe("Ada Admin deleted an Uber fee for Omar Okafor (DRV-0002)");
		expect(deleted?.details).toContain(
			"Category: |service fee|Amount: |$1,234.50|Date: |Nov 2, 2026",
		);
	});

	it("names whose trip it was when its driver has the administrator's name", async () => {
		const namesake = crypto.randomUUID();
		await insertRow(sql, "users", {
			id: namesake,
			first_name: "Ada",
			last_name: "Admin",
			role: "driver",
			approval_status: "approved",
			driver_number: 812,
			created_at: 1,
		});
		const trip = await insertLog(sql, 812, "dana", today, 10, { driver_id: namesake });
		await write({ action: "mileage.void", entity: "mileage-log", entity_id: trip });
		expect(entries(await ada.get("/audit"))[0]?.says).toContain("for Ada Admin (DRV-0812)");
	});

	it("links to the day of its trip, also if the trip is old or archived", async () => {
		const long = daysAgo(200);
		const trip = await insertLog(sql, 813, "dana", long, 10);
		await write({ action: "mileage.void", entity: "mileage-log", entity_id: trip });
		const linked = async () =>
			/href="([^"]*#log-[^"]+)"/
				.exec((await ada.get("/audit")).text)?.[1]
				?.replaceAll("&amp;", "&");
		const link = await linked();
		const archived = crypto.randomUUID();
		expect((await ada.get(link ?? "")).text).toContain(`id="log-${trip}"`);
		const date = JSON.stringify({ date: long });
		for (const [action, before, after] of [
			["mileage.log", null, date],
			["mileage.void", date, '{"voidedAt":1}'],
		] as const) {
			await write({
				actor_id: idOf("dana"),
				actor_role: "driver",
				action,
				entity: "mileage-log",
				entity_id: archived,
				before,
				after,
			});
			expect(await linked()).toBe(link?.replace(trip, archived));
		}
	});

	it("has wording for every kind that the code writes", async () => {
		const dana = await fleet.as("dana");
		const make = async (client: Client, path: string, body: object) =>
			(JSON.parse((await client.call("POST", path, body)).text) as { id: string }).id;
		for (const intent of ["reject", "approve", "delete", "activate"])
			await ada.post("/drivers", { intent, id: idOf("nora") });
		const readings = { date: today, startOdometer: 90_000, endOdometer: 90_100 };
		await dana.post("/mileage", { intent: "void", id: await make(dana, "/api/mileage", readings) });
		const asked = { type: "gas", amount: "12.50", description: "Fuel" };
		const id = await make(dana, "/api/fund-requests", asked);
		await ada.post("/fund-requests", { intent: "process", id, status: "approved" });
		await ada.post("/fund-requests", { intent: "undo", id });
		const fee = { driverId: idOf("dana"), category: "commission", amount: "5.00", date: today };
		await ada.post("/uber-fees", { intent: "delete", id: await make(ada, "/api/uber-fees", fee) });
		const written = await fleet.sql<{ action: string }>(
			"select distinct action from audit_events where action <> 'user.teleport'",
		);
		expect(written.length).toBeGreaterThan(8);
		for (const { action } of written) expect(Object.keys(KINDS)).toContain(action);
	});
});

describe("the search", () => {
	const shown = async (query: string) => entries(await ada.get(`/audit?${query}`));

	beforeEach(async () => {
		await sql("drop trigger audit_events_no_delete");
		await sql("delete from audit_events");
		for (let number = 0; number < 90; number++)
			await write({
				at: startOfDay(ZONE, addDays(today, -(number % 9))) + number,
				actor_id: idOf(number % 3 ? "ada" : "ben"),
				action: number % 2 ? "user.activate" : "user.deactivate",
				entity_id: idOf(number % 5 ? "omar" : "ben"),
			});
		await write({
			at: startOfDay(ZONE, today),
			actor_id: null,
			actor_role: "system",
			action: "driver.join",
			entity_id: idOf("ben"),
		});
	});

	it("shows every entry once, newest first, 20 per page", async () => {
		const seen: number[] = [];
		for (let url: string | undefined = "/audit"; url; ) {
			const page: Answer = await ada.get(url);
			expect(entries(page).length).toBeLessThanOrEqual(20);
			seen.push(...entries(page).map(({ id }) => id));
			url = /href="([^"]+)"[^>]*>Next page/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
		}
		const all = await fleet.sql<{ id: number }>(
			"select id from audit_events order by at desc, id desc",
		);
		expect(seen).toEqual(all.map(({ id }) => id));
		expect((await ada.get("/audit?after=x")).status).toBe(200);
	});

	it.each<[string, string, string]>([
		[
			"a person, who acted or whose account it is",
			`person=${idOf("ben")}`,
			`'${idOf("ben")}' in (actor_id, entity_id)`,
		],
		[
			"what a person did before having an account",
			`person=${idOf("ben")}&kind=driver.join`,
			"action = 'driver.join'",
		],
		["a kind", "kind=user.activate", "action = 'user.activate'"],
		[
			"a person and a kind",
			`person=${idOf("ben")}&kind=user.activate`,
			`'${idOf("ben")}' in (actor_id, entity_id) and action = 'user.activate'`,
		],
		[
			"a first date",
			`startDate=${addDays(today, -2)}`,
			`at >= ${startOfDay(ZONE, addDays(today, -2))}`,
		],
		[
			"a last date",
			`endDate=${addDays(today, -7)}`,
			`at < ${startOfDay(ZONE, addDays(today, -6))}`,
		],
		[
			"everything together",
			`person=${idOf("ada")}&kind=user.deactivate&startDate=${addDays(today, -4)}&endDate=${addDays(today, -3)}`,
			`actor_id = '${idOf("ada")}' and action = 'user.deactivate' and at >= ${startOfDay(ZONE, addDays(today, -4))} and at < ${startOfDay(ZONE, addDays(today, -2))}`,
		],
	])("by %s, over all pages", async (_, query, condition) => {
		const seen: number[] = [];
		for (let url: string | undefined = `/audit?${query}`; url; ) {
			const page: Answer = await ada.get(url);
			expect(costOf(page).trips).toBe(1);
			seen.push(...entries(page).map(({ id }) => id));
			url = /href="([^"]+)"[^>]*>(?:Next page|Search further back)/
				.exec(page.text)?.[1]
				?.replaceAll("&amp;", "&");
		}
		const all = await fleet.sql<{ id: number }>(
			`select id from audit_events where ${condition} order by at desc, id desc`,
		);
		expect(all.length).toBeGreaterThan(0);
		expect(seen).toEqual(all.map(({ id }) => id));
	});

	it("takes any date of the calendar", async () => {
		const all = await shown("");
		expect(await shown("startDate=0001-01-01&endDate=9999-12-31")).toEqual(all);
		expect(await shown("startDate=9999-12-31")).toEqual([]);
		expect(await shown("endDate=0001-01-01")).toEqual([]);
	});

	it("keeps the filters in the form, and ignores invalid ones", async () => {
		const query = `person=${idOf("ben")}&kind=user.activate&startDate=${addDays(today, -5)}&endDate=${today}`;
		expect(formWith((await ada.get(`/audit?${query}`)).text, "Apply").fields).toEqual({
			person: idOf("ben"),
			kind: "user.activate",
			startDate: addDays(today, -5),
			endDate: today,
		});
		const all = await shown("");
		for (const bad of [
			"person=nobody",
			"kind=constructor",
			"startDate=2026-02-30",
			`startDate=${today}&endDate=2026-01-01`,
			"person=all&kind=all&startDate=&endDate=",
		])
			expect(await shown(bad), bad).toEqual(all);
		const backwards = await ada.get(`/audit?startDate=${today}&endDate=2026-01-01`);
		expect(backwards.text).toContain(
			"The start date is after the end date. The date filter wasn&#x27;t applied.",
		);
		expect(formWith(backwards.text, ">Apply</button>").fields).toMatchObject({
			startDate: today,
			endDate: "2026-01-01",
		});
		expect((await ada.get("/audit")).text).not.toContain("filter wasn&#x27;t applied");
		expect(await shown("person=99999999-0000-4000-8000-000000000000")).toEqual([]);
	});

	it("searches for the person in a large fleet, and reads few rows in a long history", async () => {
		await sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
			with recursive n(value) as (select 1 union all select value + 1 from n where value < 300)
			select printf('70000000-0000-4000-8000-%012d', value), 'driver', 'Zed', printf('Zz%03d', value), 'approved', value + 100, 1 from n`);
		await sql(`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
			with recursive n(value) as (select 1 union all select value + 1 from n where value < 30000)
			select value, printf('70000000-0000-4000-8000-%012d', 1 + value % 300), 'driver', iif(value % 1000, 'profile.complete', 'driver.join'), 'user',
				printf('70000000-0000-4000-8000-%012d', 1 + value % 300) from n`);
		const person = "person=70000000-0000-4000-8000-000000000150";
		const searched = await ada.get(
			`/audit?person=all&personSearch=zz150&kind=profile.complete&startDate=${today}`,
		);
		expect([searched.status, searched.headers.get("Location")]).toEqual([
			302,
			`/audit?${person}&kind=profile.complete&startDate=${today}`,
		]);
		const several = await ada.get("/audit?person=all&personSearch=zz15");
		expect(several.text).toContain(
			"The entries below aren&#x27;t filtered yet. They&#x27;re for everyone. Select one below, then choose Apply.",
		);
		const { fields, html } = formWith(
			(await ada.get(`/audit?${person}&kind=profile.complete`)).text,
			"Apply",
		);
		expect(html).toContain("Zed Zz150 (DRV-0250)");
		expect(fields).toMatchObject({
			person: "70000000-0000-4000-8000-000000000150",
			personSearch: "",
			kind: "profile.complete",
		});
		for (const query of [
			"",
			"kind=driver.join",
			person,
			`${person}&kind=driver.join`,
			`${person}&startDate=2000-01-01`,
			"endDate=1970-01-01",
			"after=9.9",
			"personSearch=zz",
		]) {
			const answer = await ada.get(`/audit?${query}`);
			expect(costOf(answer).trips, query).toBe(1);
			expect(costOf(answer).rows, query).toBeLessThanOrEqual(ROWS_READ.list);
		}
		const found = await ada.get(`/audit?${person}`);
		expect(entries(found)).toHaveLength(20);
		expect(entries(found).every(({ says }) => says.startsWith("Zed Zz150"))).toBe(true);
	});
});
