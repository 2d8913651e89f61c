/** Agreements and charges: the API, and the driver's page that shows and makes them. */
import { beforeEach, describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../app/values/calendar-date.ts";
import { chargeId, insertAgreement, insertCharge } from "../support/agreements.ts";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { daysAgo, describeDate, monday } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import type { Row } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = (query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const ada = await fleet.as("ada");
const DANA = idOf("dana");
const PAGE = `/drivers/${DANA}`;
const today = parseCalendarDate(daysAgo(0));
const plain = (html: string) =>
	html
		.replace(/<!-- -->/g, "")
		.replaceAll("&#x27;", "'")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");
const call = async (method: string, path: string, body?: object) => {
	const { status, text } = await ada.call(method, path, body);
	return { status, body: text === "" ? undefined : JSON.parse(text) };
};

beforeEach(async () => {
	await sql("delete from agreements");
	await sql("delete from charges");
});

describe("the API of agreements", () => {
	const agreement = { driverId: DANA, from: monday(0) };

	it("gives the driver everything but what is said, and leaves a threshold out that isn't", async () => {
		const made = await call("POST", "/api/agreements", agreement);
		expect(made).toEqual({
			status: 201,
			body: {
				id: expect.stringMatching(/^[0-9a-f-]{36}$/),
				driverId: DANA,
				from: monday(0),
				base: "net",
				faresPercent: 100,
				tipsPercent: 100,
				promotionsPercent: 100,
				tollsTo: "driver",
				weeklyRent: "0.00",
				weeklyFee: "0.00",
				fleetPercent: 0,
				perMileMills: 0,
			},
		});
		const whole = {
			base: "gross",
			faresPercent: 62.5,
			tipsPercent: 100,
			promotionsPercent: 0,
			tollsTo: "fleet",
			weeklyRent: "120.00",
			weeklyFee: "10.50",
			fleetPercent: 5,
			perMileMills: 550,
			thresholdMiles: 10_000,
			thereafterMills: 250,
			taxYearStart: "04-06",
		};
		const second = await call("POST", "/api/agreements", { ...agreement, ...whole });
		expect(second.body).toEqual({ ...agreement, ...whole, id: second.body.id });
		const { body } = await call("GET", "/api/agreements");
		expect(body).toEqual([second.body, made.body]);
	});

	it("starts on the first day of a week, also long ago, and on no other", async () => {
		const past = await call("POST", "/api/agreements", { driverId: DANA, from: "2025-01-06" });
		expect(past.status).toBe(201);
		const tuesday = await call("POST", "/api/agreements", { ...agreement, from: "2026-11-17" });
		expect(tuesday).toEqual({
			status: 400,
			body: {
				message: "A week starts on Monday. Enter Nov 16, 2026 or Nov 23, 2026",
				fields: { from: ["A week starts on Monday. Enter Nov 16, 2026 or Nov 23, 2026"] },
			},
		});
	});

	it("repeats its answer to a repeated key, and refuses the key for another", async () => {
		const headers = { "Idempotency-Key": "once", "Content-Type": "application/json" };
		const post = (body: object) =>
			ada.request("/api/agreements", { method: "POST", headers, body: JSON.stringify(body) });
		const [first, again] = [await post(agreement), await post(agreement)];
		expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
		expect(again.headers.get("Idempotency-Replayed")).toBe("true");
		expect((await post({ ...agreement, weeklyRent: "1.00" })).status).toBe(422);
	});

	it("is listed by driver and by page, and is never changed or deleted", async () => {
		await insertAgreement(sql, 1, "dana", "2026-11-02", { created_at: 1 });
		await insertAgreement(sql, 2, "omar", "2026-11-02", { created_at: 2 });
		await insertAgreement(sql, 3, "dana", "2026-11-02", { created_at: 3, number: 2 });
		const own = await call("GET", `/api/agreements?driverId=${DANA}`);
		expect(own.body.map(({ driverId }: { driverId: string }) => driverId)).toEqual([DANA, DANA]);
		const page = await ada.get("/api/agreements?limit=2");
		const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1] ?? "";
		expect(JSON.parse((await ada.get(next)).text)).toHaveLength(1);
		expect((await ada.get("/api/agreements?driverId=DRV-0001")).status).toBe(400);
		for (const method of ["PUT", "DELETE"])
			expect((await ada.call(method, "/api/agreements")).status).toBe(405);
	});
});

describe("the API of charges", () => {
	const charge = { driverId: DANA, kind: "fuel-card", date: today, amount: "45.50" };

	it("adds one, lists it, voids it once", async () => {
		const added = await call("POST", "/api/charges", charge);
		const shown = {
			id: added.body.id,
			...charge,
			direction: "against",
			instalments: 1,
			note: null,
		};
		expect(added).toEqual({ status: 201, body: shown });
		expect((await call("GET", "/api/charges")).body).toEqual([shown]);
		const path = `/api/charges/${added.body.id}`;
		expect((await call("DELETE", path)).status).toBe(204);
		expect((await call("GET", "/api/charges")).body).toEqual([]);
		expect(await call("DELETE", path)).toEqual({
			status: 404,
			body: { message: "Charge not found" },
		});
		expect(await sql("select voided_by from charges")).toEqual([{ voided_by: idOf("ada") }]);
	});

	it("keeps one that a published settlement has part of", async () => {
		await insertCharge(sql, 1, "dana", { instalments: 4, settled_instalments: 1 });
		const { status, body } = await call("DELETE", `/api/charges/${chargeId(1)}`);
		expect([status, body.message]).toEqual([
			409,
			"A published settlement has part of this charge. Add one in the other direction instead.",
		]);
	});

	it("takes every kind, both directions and 1 to 52 instalments", async () => {
		for (const kind of "rent fuel-card toll fine damage advance deposit bonus other".split(" "))
			expect((await call("POST", "/api/charges", { ...charge, kind })).status, kind).toBe(201);
		for (const kind of ["fuel card", "fuel_card"])
			expect((await call("POST", "/api/charges", { ...charge, kind })).body).toMatchObject(charge);
		const bonus = { ...charge, kind: "bonus", direction: "for", instalments: 52, note: "Thanks" };
		expect((await call("POST", "/api/charges", bonus)).body).toMatchObject(bonus);
		for (const wrong of [
			{ kind: "gift" },
			{ direction: "up" },
			{ instalments: 0 },
			{ instalments: 53 },
			{ amount: "0" },
			{ date: null },
			{ driverId: idOf("ben") },
		])
			expect((await call("POST", "/api/charges", { ...charge, ...wrong })).status).toBe(400);
	});
});

describe("a driver's page", () => {
	it("says the agreement in force as one sentence, and which others there are", async () => {
		await insertAgreement(sql, 1, "dana", monday(2), { weekly_rent_cents: 12_000 });
		await insertAgreement(sql, 2, "dana", monday(-1), { fares_basis_points: 7000 });
		const text = plain((await ada.get(PAGE)).text);
		expect(text).toContain(
			"Dana keeps 60% of fares after the platform's fees, all tips and promotions and all tolls, less $120.00 rent a week.",
		);
		expect(text).toContain("All agreements (2)");
		for (const words of ["In force", "Starts later", `From ${describeDate(monday(-1))}`])
			expect(text).toContain(words);
		const ben = plain((await ada.get(`/drivers/${idOf("ben")}`)).text);
		expect(ben).not.toContain("Agreement");
	});

	it("lists all of them up to 50, and finds the one in force beyond those", async () => {
		await insertAgreement(sql, 1, "dana", monday(2), { weekly_rent_cents: 12_000 });
		for (let each = 2; each <= 50; each++) await insertAgreement(sql, each, "dana", monday(-1));
		expect(plain((await ada.get(PAGE)).text)).toContain("All agreements (50)");
		await insertAgreement(sql, 51, "dana", monday(-1));
		const answer = await ada.get(PAGE);
		const text = plain(answer.text);
		expect(text).toContain("less $120.00 rent a week. The 50 agreements that start last");
		expect(text).not.toContain("In force");
		expect(costOf(answer).rows).toBeLessThan(ROWS_READ.list);
	});

	it("tells an accountant everything, and offers them nothing", async () => {
		await insertAgreement(sql, 1, "dana", monday(0));
		await insertCharge(sql, 1, "dana", { note: "Rear bumper" });
		const vera = { email: "vera.week@milepost.test", firstName: "Vera", lastName: "Viewer" };
		const { status } = await ada.call("POST", "/api/admin/create", { ...vera, role: "viewer" });
		expect(status).toBe(201);
		const client = await fleet.client().signIn(vera.email);
		for (const path of [PAGE, `${PAGE}?dialog=agreement`, `${PAGE}?dialog=charge`]) {
			const text = plain((await client.get(path)).text);
			for (const words of ["Dana keeps 60% of fares", "Rear bumper"]) expect(text).toContain(words);
			for (const words of ["New agreement", "Add a charge", "Save agreement", "Remove"])
				expect(text).not.toContain(words);
		}
		expect((await client.call("GET", "/api/charges")).status).toBe(200);
		expect((await client.call("POST", "/api/charges", {})).status).toBe(403);
	});

	it("shows an agreement and an example before it is made, with what was typed", async () => {
		const asked = await ada.get(`${PAGE}?dialog=agreement`);
		const form = formWith(asked.text, "Save agreement");
		expect(form.fields).toMatchObject({ from: monday(0), faresPercent: "100", weeklyRent: "0.00" });
		const typed = { ...form.fields, faresPercent: "60", weeklyRent: "120" };
		const shown = await ada.post(form.action, { ...typed, preview: "yes" });
		expect(shown.status).toBe(200);
		expect(plain(shown.text)).toContain(
			"Fares after fees: 60% of $750.00 $450.00 Tips: 100% of $60.00 $60.00 Promotions: 100% of $40.00 $40.00 Tolls $20.00 Cash collected -$180.00 Weekly rent -$120.00 Result $270.00",
		);
		expect(await sql("select 1 from agreements")).toEqual([]);
		const again = formWith(shown.text, "Save agreement");
		expect(again.fields).toMatchObject({ faresPercent: "60", weeklyRent: "120" });
		const made = await ada.post(again.action, again.fields);
		expect([made.status, made.headers.get("Location")]).toEqual([303, `${PAGE}#agreement`]);
		expect(await sql("select fares_basis_points, weekly_rent_cents from agreements")).toEqual([
			{ fares_basis_points: 6000, weekly_rent_cents: 12_000 },
		]);
		// Sent again, it is the same agreement.
		expect((await ada.post(again.action, again.fields)).status).toBe(303);
		expect(await sql("select 1 from agreements")).toHaveLength(1);
		const other = await ada.post(again.action, { ...again.fields, weeklyRent: "1" });
		expect(other.status).toBe(409);
		expect(formWith(other.text, "Save agreement").fields.key).not.toBe(again.fields.key);
	});

	it("follows no agreement that was saved since the form was opened, until it is sent again", async () => {
		const ben = await fleet.as("ben");
		const open = async (client: typeof ada) =>
			formWith((await client.get(`${PAGE}?dialog=agreement`)).text, "Save agreement");
		const [hers, his] = [await open(ada), await open(ben)];
		await ben.post(his.action, { ...his.fields, faresPercent: "65" });
		const shares = () =>
			sql("select fares_basis_points, weekly_rent_cents from agreements order by number");
		const his65 = { fares_basis_points: 6500, weekly_rent_cents: 0 };
		// An example, or a mistake, is no reason to save it over his either.
		const shown = await ada.post(hers.action, { ...hers.fields, preview: "yes" });
		const faulty = await ada.post(hers.action, { ...hers.fields, weeklyRent: "many" });
		for (const { fields } of [
			hers,
			formWith(shown.text, "Save agreement"),
			formWith(faulty.text, "Save agreement"),
		]) {
			const refused = await ada.post(hers.action, { ...fields, weeklyRent: "150" });
			expect(refused.status).toBe(409);
			expect(plain(refused.text)).toContain(
				"Another agreement was saved since you opened this form: Dana keeps 65% of fares after the platform's fees",
			);
			expect(await shares()).toEqual([his65]);
		}
		const refused = await ada.post(hers.action, { ...hers.fields, weeklyRent: "150" });
		const again = formWith(refused.text, "Save agreement");
		expect(again.fields).toMatchObject({ faresPercent: "100", weeklyRent: "150" });
		const saved = await ada.post(again.action, { ...again.fields, faresPercent: "65" });
		expect(saved.status).toBe(303);
		expect(await shares()).toEqual([his65, { ...his65, weekly_rent_cents: 15_000 }]);
	});

	it("starts the next agreement from the current terms, and fills in a published rate", async () => {
		await insertAgreement(sql, 1, "dana", monday(2), {
			fares_basis_points: 6250,
			per_mile_mills: 100,
		});
		const current = formWith((await ada.get(`${PAGE}?dialog=agreement`)).text, "Save agreement");
		expect(current.fields).toMatchObject({ faresPercent: "62.5", perMileMills: "100" });
		const dialog = await ada.get(`${PAGE}?dialog=agreement&preset=hmrc-2026`);
		const hmrc = formWith(dialog.text, "Save agreement");
		expect(hmrc.fields).toMatchObject({
			faresPercent: "62.5",
			perMileMills: "550",
			thresholdMiles: "10000",
			thereafterMills: "250",
			taxYearStart: "04-06",
		});
		expect(plain(dialog.text)).toContain(
			"plus 55 cents a business mile up to 10,000 miles a tax year from April 6 and 25 cents beyond",
		);
		expect(plain(dialog.text)).toContain("IRS business rate from January 1, 2026: 72.5 cents");
	});

	it("keeps what was typed into a refused form, and names the fault at its field", async () => {
		const form = formWith((await ada.get(`${PAGE}?dialog=agreement`)).text, "Save agreement");
		const typed = { ...form.fields, from: "2026-11-17", tipsPercent: "120" };
		const refused = await ada.post(form.action, typed);
		expect(refused.status).toBe(400);
		expect(plain(refused.text)).toContain("A week starts on Monday.");
		expect(plain(refused.text)).toContain("Enter a percent from 0 to 100");
		expect(formWith(refused.text, "Save agreement").fields).toMatchObject({ tipsPercent: "120" });
	});

	it("adds a charge, says how many instalments are left, and removes it once asked", async () => {
		const form = formWith((await ada.get(`${PAGE}?dialog=charge`)).text, "Add charge");
		const typed = { ...form.fields, kind: "damage", amount: "250", note: "Rear bumper" };
		const refused = await ada.post(form.action, { ...typed, instalments: "60" });
		expect(refused.status).toBe(400);
		const added = await ada.postAndFollow(form.action, {
			...typed,
			instalments: "4",
			date: monday(1),
		});
		expect(plain(added.text)).toMatch(
			/Damage : Rear bumper -\$250\.00 .* 4 weekly installments of \$62\.50, the first in the week of .*, 3 left/,
		);
		const [row] = await sql("select id from charges");
		const asked = await ada.get(`${PAGE}?dialog=remove-charge&id=${row?.id}`);
		expect(plain(asked.text)).toContain("Remove the charge Damage of -$250.00");
		const remove = formWith(asked.text, 'value="remove-charge"');
		const removed = await ada.postAndFollow(remove.action, remove.fields);
		expect(plain(removed.text)).toContain("No charges");
		expect((await ada.post(remove.action, remove.fields)).status).toBe(404);
	});

	it("adds a bonus for the driver unless the form says otherwise", async () => {
		const form = formWith((await ada.get(`${PAGE}?dialog=charge`)).text, "Add charge");
		const bonus = { kind: "bonus", amount: "50" };
		const added = await ada.postAndFollow(form.action, { ...form.fields, ...bonus });
		expect(plain(added.text)).toMatch(/Bonus \$50\.00 .* For the driver/);
		const again = formWith((await ada.get(`${PAGE}?dialog=charge`)).text, "Add charge");
		await ada.post(again.action, { ...again.fields, ...bonus, direction: "against" });
		expect(await sql("select direction from charges order by direction")).toEqual([
			{ direction: "against" },
			{ direction: "for" },
		]);
	});

	it("pages through charges, and shows none of another driver's", async () => {
		for (let number = 1; number <= 12; number++)
			await insertCharge(sql, number, "dana", { created_at: number, note: `Note ${number}.` });
		await insertCharge(sql, 20, "omar", { note: "Someone else's" });
		const first = await ada.get(PAGE);
		expect(plain(first.text)).toContain("Note 12.");
		expect(plain(first.text)).not.toContain("Note 2.");
		const href = /href="([^"]*charges=[^"#]*)#charges"/.exec(first.text)?.[1] ?? "";
		const address = href.replaceAll("&amp;", "&");
		const second = plain((await ada.get(address)).text);
		expect(second).toContain("Note 2.");
		expect(second).not.toContain("Note 12.");
		for (const text of [plain(first.text), second]) expect(text).not.toContain("Someone else");
		const asked = await ada.get(`${PAGE}?dialog=remove-charge&id=${chargeId(20)}`);
		expect(plain(asked.text)).not.toContain("Remove Charge");
		// Removing one leads back to its page.
		const last = await ada.get(`${address}&dialog=remove-charge&id=${chargeId(2)}`);
		const remove = formWith(last.text, 'value="remove-charge"');
		const removed = await ada.post(remove.action, remove.fields);
		expect(removed.headers.get("Location")).toBe(`${address}#charges`);
	});
});
