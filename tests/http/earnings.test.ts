/** A driver's settled weeks: the list, one week with the rows it rests on, and its PDF. */
import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { insertAgreement, insertCharge } from "../support/agreements.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo, describePeriod, monday } from "../support/fleet-days.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { readPdf } from "../support/report-files.ts";
import { insertLine, insertMoney, insertSettlement, published } from "../support/settlements.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const [ada, dana, omar] = [await fleet.as("ada"), await fleet.as("dana"), await fleet.as("omar")];

const weekOf = (weeksAgo: number) => ({ from: monday(weeksAgo), to: addDays(monday(weeksAgo), 6) });
const words = (weeksAgo: number) => describePeriod(weekOf(weeksAgo).from, weekOf(weeksAgo).to);
/** The same without this year. */
const short = (weeksAgo: number) => {
	const year = `, ${daysAgo(0).slice(0, 4)}`;
	return words(weeksAgo).replace(year, "");
};
/** A page's text without its tags. */
const read = (html: string) =>
	html
		.replace(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&#x27;", "'")
		.replace(/\s+/g, " ");
async function page(client: Client, path: string) {
	const answer = await client.get(path);
	expect([path, answer.status]).toEqual([path, 200]);
	expect(answer.headers.get("Server-Timing"), path).toContain("1 trip,");
	return { html: answer.text, text: read(answer.text) };
}

let ids: Record<"first" | "second" | "draft" | "voided" | "omar", string>;
beforeAll(async () => {
	await sql("delete from mileage_logs");
	await insertAgreement(sql, 1, "dana", monday(8), { per_mile_mills: 500, created_at: 1 });
	// It came later, and reaches back.
	await insertAgreement(sql, 2, "dana", monday(8), {
		...{ fares_basis_points: 9_900, created_at: currentTime() + 60_000 },
	});
	const charge = await insertCharge(sql, 1, "dana", {
		...{ charged_on: monday(4), instalments: 4, amount_cents: 10_000, note: "Left mirror" },
	});
	const first = await insertSettlement(sql, 1, "dana", monday(4), {
		...published(-5_000),
	});
	await insertLine(sql, first, 0, -5_000, { charge_id: charge, text: "Damage, 1 of 4" });
	const voided = await insertSettlement(sql, 2, "dana", monday(3), {
		...published(77_700, { status: "void", voided_at: currentTime(), voided_by: idOf("ada") }),
	});
	const second = await insertSettlement(sql, 3, "dana", monday(3), {
		...published(45_000, { carried_in_cents: -5_000 }),
	});
	await sql("update settlements set carried_by = ? where id = ?", second, first);
	for (const [place, cents, more] of [
		[0, 50_000, { kind: "fares", platform: "uber", text: "Fares after fees: 60% of $750.00" }],
		[1, 4_000, { kind: "miles", text: "80 miles at $0.50" }],
		[2, -2_500, { kind: "rent", text: "Weekly rent" }],
		[3, -1_500, { kind: "correction", text: `Correction of the week ${words(4)}` }],
	] as const)
		await insertLine(sql, second, place, cents, {
			...more,
			about_week: more.kind === "correction" ? monday(4) : null,
		});
	const { from } = weekOf(3);
	await insertMoney(
		sql,
		"a",
		"dana",
		{ from, to: from },
		{ fare_cents: 60_000, fee_cents: -5_000 },
	);
	await insertMoney(sql, "b", "dana", { from, to: addDays(from, 6) }, { fare_cents: 20_000 });
	await insertMoney(sql, "c", "dana", { from, to: from }, { fare_cents: 1 }, { proof: "unproven" });
	await insertLog(sql, 1, "dana", addDays(from, 1), 100, { personal_miles: 20 });
	await insertLog(sql, 2, "dana", addDays(from, 2), 9, { voided_at: 1, voided_by: idOf("dana") });
	const draft = await insertSettlement(sql, 4, "dana", monday(1));
	const other = await insertSettlement(sql, 5, "omar", monday(3), published(12_345));
	ids = { first, second, draft, voided, omar: other };
});

describe("/earnings", () => {
	it("lists the driver's own published weeks, latest first, and no drafts", async () => {
		const { html, text } = await page(dana, "/earnings");
		expect([...html.matchAll(/href="(\/earnings\/[^"]+)"/g)].map(([, path]) => path)).toEqual([
			`/earnings/${ids.second}`,
			`/earnings/${ids.first}`,
		]);
		expect(text).toContain(`${short(3)} $450.00 ST-000003 Published`);
		expect(text).toContain(`${short(4)} -$50.00 ST-000001 Published`);
		expect(text).not.toMatch(/ST-000002|ST-000004|ST-000005|777\.00|123\.45|Draft|Void/);
		expect(text).toContain("No tax, VAT, social insurance or minimum wage is worked out.");
	});

	it("shows the current week so far as not final, and says what isn't published yet", async () => {
		await insertMoney(sql, "now", "dana", weekOf(0), { tip_cents: 1_234 });
		const { text } = await page(dana, "/earnings");
		expect(text).toContain("This week so far Not final");
		expect(text).toContain("nothing is due before the week is published");
		expect(text).toContain("Tips: 100% of $12.34 Uber $12.34");
		expect(text).toContain(`${words(1)} isn't published yet.`);
		expect(text).not.toContain("Payable");
	});

	it("is empty for a driver whose fleet settles no weeks", async () => {
		const { text } = await page(await fleet.as("lena"), "/earnings");
		expect(text).toContain("No weeks yet. Each appears here once your fleet has published it.");
		expect(text).not.toContain("This week so far");
	});

	it("has pages", async () => {
		for (let week = 20; week < 40; week++)
			await insertSettlement(sql, 100 + week, "omar", monday(week), published(week));
		const seen: string[] = [];
		for (let path: string | undefined = "/earnings"; path; ) {
			const { html } = await page(omar, path);
			seen.push(...[...html.matchAll(/ST-0*(\d+)/g)].map(([, number = ""]) => number));
			path = /href="([^"]+)"[^>]*>Next page</.exec(html)?.[1]?.replaceAll("&amp;", "&");
		}
		expect(seen).toEqual(["5", ...Array.from({ length: 20 }, (_, place) => String(120 + place))]);
	});

	it("is linked from the dashboard, which has the last week, and from the navigation", async () => {
		const { html, text } = await page(dana, "/");
		expect(html).toContain(`href="/earnings/${ids.second}"`);
		expect(text).toContain(`Week ${short(3)}: $450.00`);
		expect(html).toContain('href="/earnings"');
		expect((await page(dana, "/help")).text).toContain("Your earnings");
	});
});

describe("/earnings/:id", () => {
	it("shows each line, where it comes from, and what it adds up to", async () => {
		const { html, text } = await page(dana, `/earnings/${ids.second}`);
		for (const line of [
			`${words(3)} ST-000003 Published To be paid`,
			"Fares after fees: 60% of $750.00 Uber Statement of Fares after fees: 60% of $750.00 $500.00",
			"80 miles at $0.50 Trips of 80 miles at $0.50 $40.00",
			"Carried in from earlier weeks -$50.00 Result $450.00 Payable $450.00",
			`Carried in from ST-000001 (${short(4)})`,
		])
			expect(text).toContain(line);
		expect(html).toContain(`href="/earnings/${ids.first}"`);
		for (const id of ["statements", "trips", "agreement"]) {
			expect(html).toContain(`href="#${id}"`);
			expect(html).toContain(`id="${id}"`);
		}
	});

	it("opens the rows: the statement's, the trips, the charges and the agreement of then", async () => {
		const { html, text } = await page(dana, `/earnings/${ids.second}`);
		expect(text).toContain("Fares $800.00 Platform fees -$50.00 Total $750.00");
		expect(text).toContain("Adds up to Uber's own total in 2 of 3 rows.");
		expect(text).toContain("Left out: 1 row that can't be proven or that lie in two weeks.");
		expect(html).toContain(`href="/history?open=mileage-${logId(1)}"`);
		expect(html).not.toContain(`mileage-${logId(2)}`);
		expect(text).toContain("80 miles");
		expect(text).toContain("Dana keeps 60% of fares after the platform's fees");
		const first = await page(dana, `/earnings/${ids.first}`);
		expect(first.text).toContain("Damage -$100.00");
		expect(first.text).toContain("Left mirror");
		expect(first.text).toContain(`Carried out to ST-000003 (${short(3)})`);
		expect(first.text).toContain(`Corrected by -$15.00 in ST-000003 (${short(3)})`);
	});

	it("says which payout paid it", async () => {
		const made = await ada.call("POST", "/api/payouts", { settlementIds: [ids.second] });
		expect(made.status, made.text).toBe(201);
		const { id } = JSON.parse(made.text);
		expect((await page(dana, `/earnings/${ids.second}`)).text).toContain("To be paid");
		const paid = { status: "paid", paidOn: daysAgo(0) };
		expect((await ada.call("PUT", `/api/payouts/${id}`, paid)).status).toBe(200);
		const { html, text } = await page(dana, `/earnings/${ids.second}`);
		expect(text).toMatch(/Paid \w{3} \d+ · PO-000001/);
		expect(text).not.toContain("To be paid");
		expect(html).toContain(`href="/history/payouts/${id}.pdf"`);
		expect((await dana.get(`/history/payouts/${id}.pdf`)).status).toBe(200);
		expect((await page(dana, "/earnings")).text).toMatch(
			/ST-000003 · Paid \w{3} \d+ · PO-000001 Paid/,
		);
	});

	it("is 404 for another driver's, a draft, a void one and none", async () => {
		for (const id of [ids.omar, ids.draft, ids.voided, "90000000-0000-4000-8000-000000000099"])
			for (const path of [`/earnings/${id}`, `/earnings/${id}.pdf`]) {
				const answer = await dana.get(path);
				expect([path, answer.status]).toEqual([path, 404]);
				expect(answer.text).not.toMatch(/ST-0|123\.45|777\.00/);
			}
		expect((await omar.get(`/earnings/${ids.second}`)).status).toBe(404);
	});
});

describe("the PDF", () => {
	/** Reads a week's PDF. */
	async function pdfOf(client: Client, path: string) {
		const answer = await client.get(path);
		expect([path, answer.status]).toEqual([path, 200]);
		expect(answer.headers.get("Content-Disposition")).toContain("settlement-ST-000003.pdf");
		return (await readPdf(answer.raw)).text;
	}

	it("has the lines and the statement's own total, for the driver and for administrators", async () => {
		const own = await pdfOf(dana, `/earnings/${ids.second}.pdf`);
		for (const line of [
			"Week ST-000003",
			"Dana Driver (DRV-0001)",
			"Fares after fees: 60% of $750.00",
			"Carried in from earlier weeks",
			"-$50.00",
			"$450.00",
			"Platform fees",
			"own total in 2 of 3 rows",
			"minimum wage",
		])
			expect(own.replace(/\s+/g, " ")).toContain(line);
		expect((await ada.get(`/settlements/${ids.second}`)).text).toContain(
			`href="/settlements/${ids.second}.pdf"`,
		);
		expect((await ada.get(`/settlements/${ids.draft}`)).text).not.toContain(".pdf");
		const office = await pdfOf(ada, `/settlements/${ids.second}.pdf`);
		expect(office).toContain("Dana Driver (DRV-0001)");
		expect((await ada.get(`/settlements/${ids.draft}.pdf`)).status).toBe(404);
	});

	it("is recorded before it is sent", async () => {
		await pdfOf(dana, `/earnings/${ids.second}.pdf`);
		await pdfOf(ada, `/settlements/${ids.second}.pdf`);
		const entries = await fleet.sql<{ actor_id: string; entity_id: string }>(
			"select actor_id, entity_id from audit_events where action = 'settlement.statement' order by id",
		);
		expect(entries.map(({ actor_id }) => actor_id)).toEqual([idOf("dana"), idOf("ada")]);
		expect(entries[0]?.entity_id).toBe("settlement-ST-000003.pdf");
		expect((await ada.get("/audit")).text).toContain("downloaded the settled week");
	});
});

describe("GET /api/settlements", () => {
	type Told = { readonly id: string; readonly status: string };
	const list = async (client: Client, query = "") => {
		const { status, text } = await client.get(`/api/settlements${query}`);
		expect(status, query).toBe(200);
		return (JSON.parse(text) as Told[]).map(({ id, status }) => [id, status]);
	};

	it("has a driver's own published ones, and each by its id", async () => {
		expect((await list(dana)).map(([id]) => id)).toEqual([ids.second, ids.first]);
		expect(await list(dana, `?driverId=${idOf("omar")}`)).toEqual([]);
		expect(await list(dana, "?status=draft")).toEqual([]);
		const { text } = await dana.get(`/api/settlements/${ids.first}`);
		expect(JSON.parse(text)).toMatchObject({
			...{ id: ids.first, number: "ST-000001", result: "-50.00", payable: "0.00" },
			lines: [{ kind: "charge", text: "Damage, 1 of 4", amount: "-50.00" }],
		});
		for (const id of [ids.omar, ids.draft, ids.voided, "none"])
			expect((await dana.get(`/api/settlements/${id}`)).status, id).toBe(404);
	});

	it("tells a driver which of those they could see are void by now", async () => {
		const gone = await insertSettlement(sql, 201, "omar", monday(50), published(100));
		const draft = await insertSettlement(sql, 202, "omar", monday(51));
		const since = `?updatedSince=${new Date(currentTime() - 1).toISOString()}`;
		expect(await list(omar, "?limit=1")).not.toEqual([]);
		for (const id of [gone, draft])
			expect((await ada.call("PUT", `/api/settlements/${id}`, { status: "void" })).status).toBe(
				200,
			);
		expect(await list(omar, since)).toEqual([[gone, "void"]]);
		expect((await list(omar)).map(([id]) => id)).not.toContain(gone);
	});
});
