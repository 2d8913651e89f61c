/** The screens of settlements in a browser without JavaScript. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { type CastName, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { feeImporter, importForm } from "../support/fee-imports.ts";
import { daysAgo, describeDate, describePeriod, monday } from "../support/fleet-days.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { insertRow } from "../support/rows.ts";
import { insertMoney, insertSettlement, insertWeek, settlementId } from "../support/settlements.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const [ada, ben, dana] = [await fleet.as("ada"), await fleet.as("ben"), await fleet.as("dana")];
const sql = fleet.sql.bind(fleet);

const LAST = { from: monday(1), to: addDays(monday(1), 6) };
const HERE = `/settlements?week=${LAST.from}`;

const plain = (html: string) =>
	html
		.replace(/<script[\s\S]*?<\/script>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&#x27;", "'")
		.replace(/\s+/g, " ");
/** The boxes of the form that publishes. */
const boxesIn = (html: string) =>
	[...html.matchAll(/<input type="checkbox" form="chosen"[^>]*>/g)].map(([box]) => ({
		value: /value="([^"]+)"/.exec(box)?.[1] ?? "",
		isTicked: /checked=""/.test(box),
	}));
const publish = (values: readonly string[]) =>
	ada.request(HERE, {
		method: "POST",
		headers: { "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams([
			["intent", "publish"],
			...values.map((value): [string, string] => ["chosen", value]),
		]),
	});
let rows = 0;
async function money(name: CastName, cents: Record<string, number>) {
	rows += 1;
	await insertMoney(sql, `row ${rows}`, name, LAST, cents);
}
const agree = (name: CastName) =>
	ada.call("POST", "/api/agreements", { driverId: idOf(name), from: LAST.from, faresPercent: 60 });
const makeDrafts = async () => {
	const { action, fields } = formWith((await ada.get(HERE)).text, "Make");
	return ada.postAndFollow(action, fields);
};
const statuses = async () => {
	const found = await fleet.sql<{ status: string }>(
		"select status from settlements order by number",
	);
	return found.map(({ status }) => status);
};

beforeEach(async () => {
	for (const table of ["settlement_lines", "settlement_marks", "statement_money", "agreements"])
		await sql(`delete from ${table}`);
	await sql("delete from settlements");
	await sql("delete from fee_imports");
});

describe("/settlements", () => {
	it("starts with the last whole week, and has links to the weeks around it", async () => {
		const { text, headers } = await ada.get("/settlements");
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		expect(plain(text)).toContain(describePeriod(LAST.from, LAST.to));
		expect(plain(text)).toContain("No settlements for this week yet");
		expect(plain(text)).toContain("No tax, VAT, social insurance or minimum wage is worked out.");
		expect(text).toContain(`/settlements?week=${monday(2)}`);
		expect(text).toContain(`/settlements?week=${monday(0)}`);
		const current = (await ada.get(`/settlements?week=${daysAgo(0)}`)).text;
		expect(current).not.toContain(`/settlements?week=${monday(-1)}`);
		expect(plain(current)).toContain(`This week ends on ${describeDate(addDays(monday(0), 6))}.`);
		for (const week of ["", "soon", "1999-12-31", "9999-12-31"])
			expect(plain((await ada.get(`/settlements?week=${week}`)).text), week).toContain(
				describePeriod(LAST.from, LAST.to),
			);
	});

	it("calls drivers who were invited without a name by their codes", async () => {
		await sql("update users set first_name = '', last_name = '' where id = ?", idOf("ines"));
		await money("ines", { fare_cents: 10_000 });
		const week = plain((await makeDrafts()).text);
		expect(week).toContain("DRV-0005: money came in, but no agreement covers the week");
		const [row] = await fleet.sql<{ id: string; number: number }>(
			"select id, number from settlements",
		);
		const found = await ada.get(`/find?q=ST-${row?.number}`);
		const own = await ada.get(`/settlements/${row?.id}`);
		for (const text of [week, plain(own.text), plain(found.text)])
			expect(text).not.toContain("Unnamed user");
		const refused = await ada.call("PUT", `/api/settlements/${row?.id}`, { status: "published" });
		expect(JSON.parse(refused.text).message).toContain(
			`(DRV-0005, ${describePeriod(LAST.from, LAST.to)})`,
		);
	});

	it("drafts a week and publishes it, but no sum that changed since it was shown", async () => {
		for (const name of ["dana", "omar"] as const) {
			await agree(name);
			await money(name, { fare_cents: 10_000 });
		}
		const drafted = await makeDrafts();
		expect(plain(drafted.text)).toContain("Drafts made 2 drafts to check.");
		expect(plain(drafted.text)).toContain("Payable $120.00");
		expect(plain((await makeDrafts()).text)).toContain(
			"No new drafts No one else has anything due in this week.",
		);
		const all = (await ada.get(`${HERE}&select=all`)).text;
		const values = boxesIn(all).map(({ value }) => value);
		expect(boxesIn(all).every(({ isTicked }) => isTicked)).toBe(true);
		expect(values).toHaveLength(2);
		expect(all).toContain("Publish (2)");

		await money("omar", { tip_cents: 500 });
		const refused = await publish(values);
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toMatch(
			/ST-00000\d \(Omar Okafor, [^)]+\) has changed: it's \$65\.00 now\. Nothing was published\./,
		);
		expect(plain(refused.text)).toContain("Was $60.00 when you chose it");
		expect(await statuses()).toEqual(["draft", "draft"]);
		const kept = boxesIn(refused.text);
		expect(kept.map(({ isTicked }) => isTicked)).toEqual([true, true]);

		const published = await publish(kept.map(({ value }) => value));
		expect(published.status).toBe(303);
		const after = await ada.get(published.headers.get("Location") ?? "");
		expect(plain(after.text)).toContain("Published 2 settlements, $125.00 payable.");
		expect(await statuses()).toEqual(["published", "published"]);
		expect(boxesIn(after.text)).toEqual([]);
		expect(after.text).toContain('href="/payouts#unpaid"');
		expect((await publish(kept.map(({ value }) => value))).status).toBe(409);
	});

	it("publishes nothing where nothing is chosen or can be", async () => {
		await agree("dana");
		await money("dana", { fare_cents: 10_000 });
		await money("omar", { fare_cents: 10_000 });
		const { text } = await makeDrafts();
		expect(boxesIn(text)).toHaveLength(1);
		expect(plain(text)).toContain(
			"Omar Okafor: money came in, but no agreement covers the week, so it can't be published.",
		);
		for (const chosen of [[], ["x"], [`${settlementId(1)}:0`]]) {
			const refused = await publish(chosen);
			expect([400, 404]).toContain(refused.status);
		}
		expect(plain((await publish([])).text)).toContain("Select the settlements to publish.");
		expect(await statuses()).toEqual(["draft", "draft"]);
		const bad = await ada.post(HERE, { intent: "draft", week: "2999-01-01" });
		expect(bad.status).toBe(400);
		expect(plain(bad.text)).toContain("This week hasn't begun.");
		expect((await ada.post(HERE, { intent: "pay" })).status).toBe(400);
	});

	it("says first what to check: agreements, rows left out, books that changed", async () => {
		await insertWeek(sql, LAST.from);
		const text = plain((await ada.get(HERE)).text);
		const [before, after] = [text.indexOf("To check first (4)"), text.indexOf("Select all")];
		expect(before).toBeGreaterThan(0);
		expect(after).toBeGreaterThan(before);
		for (const sentence of [
			"Łena Nguyễn: money came in, but no agreement covers the week, so it can't be published.",
			"payments_driver-Fleet.csv left out 2 unknown drivers ($412.10), whose money isn't counted in any settlement.",
			"Dana Driver: row 7 of payments_driver-Fleet.csv doesn't add up to what the file states, so it's left out.",
			"Omar Okafor: the books of this week changed after it was published.",
		])
			expect(text).toContain(sentence);
		expect(text).toContain("3 drafts, 1 published");
		const [link = ""] =
			/\/uber-fees\/import\?[^"]+#import-[^"]+/.exec((await ada.get(HERE)).text) ?? [];
		const list = (await ada.get(link.replaceAll("&amp;", "&"))).text;
		expect(list).toContain(`id="${link.split("#")[1]}"`);
	});
});

describe("drivers whom an import left out", () => {
	const NAME = `${LAST.from.replaceAll("-", "")}-${addDays(LAST.to, 1).replaceAll("-", "")}-payments_driver-Fleet.csv`;
	const [DANA, OMAR] = [
		"f1e1d000-0000-4000-8000-000000000003",
		"f1e1d000-0000-4000-8000-000000000004",
	];
	const FILE = [
		"Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee",
		`${DANA},A,Driver,75.00,100.00,-25.00`,
		`${OMAR},B,Driver,412.10,500.00,-87.90`,
		"",
	].join("\n");
	const { upload, send, clear } = feeImporter(fleet, ada);
	const know = (platformId: string, name: CastName) =>
		insertRow(sql, "platform_drivers", {
			...{ id: platformId.replace("f1e1", "f1e2"), driver_id: idOf(name), platform_id: platformId },
			...{ platform: "uber", name: "A Driver", added_by: idOf("ada"), created_at: 1 },
			last_change_id: idOf("ada"),
		});
	const importIt = async () => send(importForm(await upload(FILE, ada, NAME)));
	const accountant = async () => {
		const person = { email: "vera@milepost.test", firstName: "Vera", lastName: "Viewer" };
		await ada.call("POST", "/api/admin/create", { ...person, role: "viewer" });
		return fleet.client().signIn(person.email);
	};
	const LEFT_OUT = `${NAME} left out 1 unknown driver ($412.10), whose money isn't counted in any settlement.`;
	const checksOf = async (client: Client) => {
		const { text, headers } = await client.get(HERE);
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		return /<section[^>]*aria-labelledby="checks"[\s\S]*?<\/section>/.exec(text)?.[0] ?? "";
	};

	it("are checked first, until the file is imported again with them", async () => {
		await know(DANA, "dana");
		await importIt();
		const own = await checksOf(ada);
		expect(plain(own)).toContain(LEFT_OUT);
		expect(plain(own)).toContain("To check first (1)");
		// Whoever has sent it still has its preview.
		expect(own).toMatch(/href="\/uber-fees\/import\?statement=[^"]+">Match the drivers</);
		const others = await checksOf(ben);
		expect(plain(others)).toContain(LEFT_OUT);
		expect(others).toContain('href="/uber-fees/import">Import it again<');
		const read = await checksOf(await accountant());
		expect(plain(read)).toContain(LEFT_OUT);
		expect(read).toMatch(/href="\/uber-fees\/import\?[^"]+#import-[^"]+">Open the import</);
		const list = plain((await ada.get("/uber-fees/import")).text);
		expect(list).toContain("Left out 1 unknown driver ($412.10)");
		for (const weeksAgo of [0, 2])
			expect(plain((await ada.get(`/settlements?week=${monday(weeksAgo)}`)).text)).not.toContain(
				"left out",
			);

		await know(OMAR, "omar");
		await importIt();
		expect(await checksOf(ada)).toBe("");
		expect(await checksOf(ben)).toBe("");
		const [again] = await sql<{ id: string }>(
			"select id from fee_imports order by created_at desc limit 1",
		);
		await ada.post("/uber-fees/import", { intent: "undo", id: again?.id ?? "" });
		expect(plain(await checksOf(ben))).toContain(LEFT_OUT);
		const [first] = await sql<{ id: string }>("select id from fee_imports where undone_at is null");
		await ada.post("/uber-fees/import", { intent: "undo", id: first?.id ?? "" });
		expect(await checksOf(ben)).toBe("");
		await sql("delete from platform_drivers");
		await clear();
	});

	it("wait under one preview, however often the file was sent, until all of it was imported", async () => {
		await know(DANA, "dana");
		await upload(FILE, ada, NAME);
		const WAITS = "is waiting in preview. Nothing in it is counted until";
		expect(plain(await checksOf(ada)).split(WAITS)).toHaveLength(2);
		const latest = await upload(FILE, ada, NAME);
		const own = await checksOf(ada);
		expect(plain(own).split(WAITS)).toHaveLength(2);
		expect(own).toContain(`statement=${/statement=([\w-]+)/.exec(latest.text)?.[1]}"`);

		await know(OMAR, "omar");
		await importIt();
		expect(await checksOf(ada)).toBe("");
		// The same file once more adds nothing, so nothing of it waits.
		const form = new FormData();
		form.set("file", new File([FILE], NAME));
		form.set("mode", "all");
		const again = await ada.request("/api/statements", { method: "POST", body: form });
		expect([again.status, JSON.parse(again.text).importId]).toEqual([201, null]);
		expect(await checksOf(ada)).toBe("");
		await sql("delete from platform_drivers");
		await clear();
	});

	it("are looked for in a hundred files, and no more of them are named than of anything", async () => {
		await sql(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < 103)
			insert into fee_imports (id, added_by, created_at, file_name, row_count, payload_hash,
				platform, format, period_from, period_to, last_change_id, unmatched_drivers,
				unmatched_cents)
			select printf('c0000000-0000-4000-8000-%012d', i), ?, i, 'file ' || i || '.csv', 1, 'x',
				'uber', 'uber-payments-driver', ?, ?, 'x', i % 2, 100 from n`,
			...[idOf("ada"), LAST.from, LAST.to],
		);
		const answer = await ada.get(HERE);
		const words = plain(answer.text);
		expect(words.match(/left out 1 unknown driver \(\$1\.00\)/g)).toHaveLength(20);
		// Each link names its file, for whoever hears links alone.
		expect(answer.text).toMatch(/Import it again<span class="sr-only"> file \d+\.csv<\/span>/);
		expect(words).toContain("More files left out unknown drivers.");
		expect(words).toContain("More than 100 files of the week were imported");
		expect(costOf(answer).rows).toBeLessThan(300);
		await sql("delete from fee_imports");
	});
});

describe("a large week", () => {
	it("has fifty on a page, with the sums of that page", async () => {
		await sql(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < 53)
			insert into users (id, role, first_name, last_name, email, approval_status, driver_number,
				created_at, applied_at, approved_at)
			select printf('a0000000-0000-4000-8000-%012d', i), 'driver', 'Driver', 'Number ' || i,
				'driver' || i || '@milepost.test', 'approved', 100 + i, 1, 1, 1 from n`,
		);
		await sql(
			`insert into settlements (id, number, driver_id, week_from, status, created_at, created_by,
				carried_in_cents, result_cents, published_at, published_by)
			select 'b' || substr(id, 2), driver_number, id, ?, 'published', 1, ?, 0, 100, 1, ? from users
			where driver_number > 100`,
			...[LAST.from, idOf("ada"), idOf("ada")],
		);
		const first = (await ada.get(HERE)).text;
		expect(plain(first)).toContain("Payable $50.00 Of this page");
		expect(plain(first)).toContain("Settlements 53 53 published");
		const [, next = ""] = /href="([^"]*after=[^"]*)"/.exec(first) ?? [];
		const second = await ada.get(next.replaceAll("&amp;", "&"));
		expect(second.headers.get("Server-Timing")).toContain("1 trip,");
		expect([...second.text.matchAll(/>(ST-\d+)<\/a>/g)].map(([, number]) => number)).toEqual([
			...["ST-000151", "ST-000152", "ST-000153"],
		]);
		expect(plain(second.text)).toContain("Payable $3.00 Of this page");
		await sql("delete from settlements");
		await sql("delete from users where driver_number > 100");
	});
});

describe("a settlement", () => {
	it("is found by its number, on its driver's page, in the audit and from the import", async () => {
		await insertWeek(sql, LAST.from);
		const path = `/settlements/${settlementId(1)}`;
		const found = await ada.get("/find?q=st+1");
		expect([found.status, found.headers.get("Location")]).toEqual([302, path]);
		const person = await ada.get(`/drivers/${idOf("dana")}`);
		expect(person.text).toContain(`href="${path}"`);
		expect(plain(person.text)).toMatch(/ST-000001 \$60\.00 [^$]+ Draft/);
		await ada.post(path, { intent: "void" });
		expect((await ada.get("/audit?kind=settlement.void")).text).toContain(`href="${path}"`);
		expect((await ada.get("/uber-fees/import")).text).toContain(`href="${HERE}"`);
	});
});

describe("/settlements/:id", () => {
	it("shows how a week adds up, opens what it came from, and has the drivers beside it", async () => {
		await insertWeek(sql, LAST.from);
		const { text, headers } = await ada.get(`/settlements/${settlementId(4)}`);
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		const words = plain(text);
		for (const part of [
			"ST-000004",
			describePeriod(LAST.from, LAST.to),
			"Ivan Inactive , DRV-0004",
			"Cash collected Uber Rows of Cash collected -$100.00",
			"Carried in from earlier weeks -$5.00",
			"Result -$65.00",
			"Carried out to the next week -$65.00",
			"Payable $0.00",
			"payments_driver-Fleet.csv Uber, row 5",
		])
			expect(words).toContain(part);
		expect(text).toContain(`href="/settlements/${settlementId(3)}"`);
		expect(text).not.toContain(`href="/settlements/${settlementId(5)}"`);
		const first = plain((await ada.get(`/settlements/${settlementId(1)}`)).text);
		expect(first).toContain("1 statement row is left out");
		expect(first).toContain("Left out: Doesn't add up");
		expect(first).not.toContain("States no total");
		await sql("update statement_money set proof = 'unstated' where driver_id = ?", idOf("dana"));
		const later = plain((await ada.get(`/settlements/${settlementId(1)}`)).text);
		expect(later).toContain("States no total");
		expect((await ada.get(`/settlements/${idOf("dana")}`, { mayFail: true })).status).toBe(404);
		expect((await dana.get(`/settlements/${settlementId(1)}`, { mayFail: true })).status).toBe(403);
	});

	it("publishes after asking, then voids, and says who did what", async () => {
		await insertWeek(sql, LAST.from);
		const path = `/settlements/${settlementId(1)}`;
		const asked = (await ada.get(`${path}?dialog=publish`)).text;
		expect(plain(asked)).toContain("$60.00 is payable to Dana Driver");
		const { action, fields } = formWith(asked, "Publishing...");
		await money("dana", { tip_cents: 100 });
		const refused = await ada.post(action, fields);
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toContain("has changed: it's $61.00 now. Nothing was published.");
		expect((await ada.post(action, { intent: "publish" })).status).toBe(400);
		const again = formWith((await ada.get(`${path}?dialog=publish`)).text, "Publishing...");
		const published = await ada.postAndFollow(again.action, again.fields);
		expect(plain(published.text)).toContain("Published ST-000001, $61.00 payable.");
		expect(plain(published.text)).toMatch(/Published by Ada Admin/);
		const gone = (await ada.get(`${path}?dialog=publish`)).text;
		expect(formsIn(gone).some(({ html }) => html.includes("Publishing..."))).toBe(false);

		const voiding = formWith((await ben.get(`${path}?dialog=void`)).text, "Voiding...");
		const voided = await ben.postAndFollow(voiding.action, voiding.fields);
		expect(plain(voided.text)).toContain("ST-000001 is void. Its week can be drafted again.");
		expect(plain(voided.text)).toMatch(/Voided by Ben Backup/);
		expect((await ben.post(voiding.action, voiding.fields)).status).toBe(409);
		expect(plain((await ada.get(HERE)).text)).toContain("Void: ST-000001 (Dana Driver)");
		for (let number = 100; number < 110; number++)
			await insertSettlement(sql, number, "dana", LAST.from, {
				...{ status: "void", voided_at: 1, voided_by: idOf("ada") },
			});
		const many = plain((await ada.get(HERE)).text);
		expect(many).toContain("Void, latest 10: ST-000109 (Dana Driver)");
		expect(many).toContain("ST-000100 (Dana Driver) and more, in the audit");
		const carried = await ada.post(`/settlements/${settlementId(9)}`, { intent: "void" });
		expect(carried.status).toBe(404);
	});

	it("voids no draft that someone else has published since", async () => {
		await insertWeek(sql, LAST.from);
		const path = `/settlements/${settlementId(1)}`;
		const opened = formWith((await ben.get(`${path}?dialog=void`)).text, "Voiding...");
		const publishing = formWith((await ada.get(`${path}?dialog=publish`)).text, "Publishing...");
		await ada.postAndFollow(publishing.action, publishing.fields);
		const refused = await ben.post(opened.action, opened.fields);
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toContain(
			`ST-000001 (Dana Driver, ${describePeriod(LAST.from, LAST.to)}) has been published since this page was opened. Nothing was voided.`,
		);
		expect((await statuses())[0]).toBe("published");
		const again = formWith((await ben.get(`${path}?dialog=void`)).text, "Voiding...");
		expect((await ben.post(again.action, again.fields)).status).toBe(303);
		expect((await statuses())[0]).toBe("void");
	});
});
