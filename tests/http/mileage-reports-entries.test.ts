/**
 * The entries of Mileage Reports & Analytics: the fleet's flagged ones, all of one driver's, and
 * voiding one (docs/product.md §2, §4, 'Mileage').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { costOf } from "../support/cost.ts";
import { firstDayOf } from "../support/expected-mileage-reports.ts";
import { daysAgo, describeDate, midnight } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { cards, linkTo, nextOf, plain, table, voided } from "../support/mileage-reports.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	await sql("delete from mileage_logs");
});

describe("the entries", () => {
	const FLAGGED = [
		["gap_miles", 1234, "Gap of 1,234 mi"],
		["is_overlap", 1, "Overlap"],
		["is_out_of_order", 1, "Out of order"],
		["is_long", 1, "Long trip"],
	] as const;

	it("are the fleet's flagged ones in the window, newest first, with driver, readings and flags", async () => {
		for (const [position, [column, value]] of FLAGGED.entries())
			await insertLog(sql, position + 1, "omar", daysAgo(position), 10, { [column]: value });
		await insertLog(sql, 5, "dana", daysAgo(0), 10);
		await insertLog(sql, 6, "dana", daysAgo(0), 10, { is_long: 1, ...voided });
		const before = new Date(Date.parse(firstDayOf("month")) - 86_400_000)
			.toISOString()
			.slice(0, 10);
		for (const [position, day] of [firstDayOf("month"), before, daysAgo(-1)].entries())
			await insertLog(sql, 50 + position, "dana", day, 10, {
				is_long: 1,
				is_overlap: 1,
				is_out_of_order: 1,
			});
		const { text } = await ada.get("/mileage-reports");
		const rows = table(text, "Flagged entries");
		expect(rows.map((row) => row.slice(0, 7))).toEqual([
			...FLAGGED.map(([, , words], position) => {
				const start = (position + 1) * 2000;
				const reading = (miles: number) => miles.toLocaleString("en-US");
				return [
					describeDate(daysAgo(position)),
					expect.stringMatching(/^\|*Omar Okafor\|+Driver \|*DRV-0002\|*$/),
					reading(start),
					reading(start + 10),
					"10",
					"-",
					`Logged|${words}`,
				];
			}),
			[
				describeDate(firstDayOf("month")),
				expect.stringMatching(/^\|*Dana Driver\|+Driver \|*DRV-0001\|*$/),
				expect.any(String),
				expect.any(String),
				"10",
				"-",
				"Logged|Overlap|Long trip",
			],
		]);
		expect(plain(text)).toContain(
			"5 entries are flagged: |Omar Okafor (DRV-0002)| 4, |Dana Driver (DRV-0001)| 1.",
		);
	});

	it("are paginated, 25 per page and each once, and paging one list keeps the position in the other", async () => {
		for (let number = 1; number <= 60; number++)
			await insertLog(sql, number, number % 2 ? "dana" : "omar", daysAgo(number % 4), 10, {
				gap_miles: 1,
			});
		const all = await fleet.sql<{ id: string }>(
			"select id from mileage_logs order by driven_on desc, end_miles desc, id desc",
		);
		const seen: string[] = [];
		for (let path = `/mileage-reports?range=week&after=${idOf("ines")}`; path; ) {
			const { text } = await ada.get(path);
			expect(path).toContain(`range=week&after=${idOf("ines")}`);
			seen.push(...[...text.matchAll(/<tr id="log-([^"]+)"/g)].map(([, id = ""]) => id));
			path = nextOf(text, "entries");
		}
		expect(seen).toEqual(all.map(({ id }) => id));
	});

	it("are all of the selected driver's, voided ones with their reason, or only the flagged ones on request", async () => {
		for (let number = 1; number <= 30; number++)
			await insertLog(
				sql,
				number,
				"dana",
				daysAgo(number % 3),
				10,
				number % 10 ? {} : { is_long: 1 },
			);
		await insertLog(sql, 31, "dana", daysAgo(0), 10, {
			is_long: 1,
			voided_at: midnight(daysAgo(0)),
			voided_by: idOf("ben"),
			void_reason: "Wrong van",
		});
		await insertLog(sql, 32, "omar", daysAgo(0), 10, { is_long: 1 });
		const caption = "Entries for Dana Driver";
		const first = await ada.get(`/mileage-reports?driver=${idOf("dana")}&range=week`);
		const second = await ada.get(nextOf(first.text, "entries"));
		const rows = [...table(first.text, caption), ...table(second.text, caption)];
		const ids = [first, second].flatMap(({ text }) =>
			[...text.matchAll(/<tr id="log-([^"]+)"/g)].map(([, id]) => id),
		);
		const all = await fleet.sql<{ id: string }>(
			"select id from mileage_logs where driver_id = ? order by driven_on desc, end_miles desc, id desc",
			idOf("dana"),
		);
		expect(ids).toEqual(all.map(({ id }) => id));
		expect(rows.filter((row) => row[5] === "Logged")).toHaveLength(27);
		expect(rows.filter((row) => row[5] === "Logged|Long trip")).toHaveLength(3);
		expect(rows.filter((row) => row[5]?.startsWith("Voided")).map((row) => row.slice(5))).toEqual([
			[`Voided|${describeDate(daysAgo(0))} by Ben Backup|Reason: Wrong van`, ""],
		]);
		const flagged = await ada.get(linkTo(first.text, "Show flagged only").replace(/#.*/, ""));
		expect(table(flagged.text, caption).map((row) => row[5])).toEqual(
			Array(3).fill("Logged|Long trip"),
		);
		expect(flagged.text).toContain("newest first: flagged entries out of 31.");
	});
});

describe("voiding an entry", () => {
	const here = "/mileage-reports?range=week";

	it("asks for a reason, keeps what was typed, voids the entry, and shows the reason in both of the driver's lists", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120, {
			is_long: 1,
			created_at: currentTime() - 6 * 86_400_000,
			notes: "Depot",
		});
		await insertLog(sql, 2, "dana", daysAgo(1), 30);
		const page = await ada.get(linkTo((await ada.get(here)).text, "Void"));
		expect(costOf(page).trips).toBe(1);
		const form = formWith(page.text, "Void entry");
		expect(form.fields).toEqual({ intent: "void", id, reason: "" });
		for (const facts of [
			"Dana Driver, Driver DRV-0001",
			"2,000 to 2,120, 120 miles",
			"Depot",
			"Long trip",
		])
			expect(page.text).toContain(facts);
		for (const [reason, words] of [
			["", "Enter a reason"],
			[" \u200b ", "Enter a reason"],
			["x".repeat(501), "Use 500 characters or fewer"],
		] as const) {
			const refused = await ada.post(form.action, { ...form.fields, reason });
			expect(refused.status).toBe(400);
			expect(refused.text).toContain(`Failed to void the entry. ${words}.`);
			// The text is cut to what its field can hold.
			expect(formWith(refused.text, "Void entry").fields.reason).toBe(reason.slice(0, 500));
		}
		const answer = await ada.post(form.action, {
			...form.fields,
			reason: "Wrong <van>\r\nLog it again",
		});
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${here}#entries`]);
		expect(costOf(answer).trips).toBe(2);
		const after = await ada.get(here);
		expect(after.text).toContain("Entry voided");
		expect(after.text).toContain("No flagged entries in this period");
		expect(cards(after.text)["Total Miles Driven"]).toBe("30");
		expect(
			(
				await fleet.sql(
					"select reason, actor_id from audit_events where action = 'mileage.void' and entity_id = ? order by id desc",
					id,
				)
			)[0],
		).toEqual({
			reason: "Wrong <van>\nLog it again",
			actor_id: idOf("ada"),
		});
		const dana = await fleet.as("dana");
		for (const [path, words] of [
			["/mileage", "Administrator&#x27;s reason"],
			["/history?range=week", "Administrator&#x27;s reason"],
		] as const)
			expect((await dana.get(path)).text, path).toContain(
				`${words}: Wrong &lt;van&gt;\nLog it again`,
			);
	});

	it("returns to the row in the driver's list, and a void by the driver names no administrator", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120, { created_at: 1 });
		await insertLog(sql, 2, "dana", daysAgo(0), 10, { ...voided, void_reason: "Corrected" });
		const path = `/mileage-reports?driver=${idOf("dana")}`;
		const form = formWith((await ada.get(`${path}&dialog=void&id=${id}`)).text, "Void entry");
		const answer = await ada.post(form.action, { ...form.fields, reason: "Twice" });
		expect(answer.headers.get("Location")).toBe(`${path}#log-${id}`);
		const rows = table((await ada.get(path)).text, "Entries for Dana Driver");
		expect(rows.map((row) => row[5])).toEqual([
			expect.stringMatching(/by the driver\|Reason: Corrected$/),
			`Voided|${describeDate(daysAgo(0))} by Ada Admin|Reason: Twice`,
		]);
		const history = (await (await fleet.as("dana")).get("/history")).text;
		expect(history.match(/Administrator&#x27;s reason: /g)).toHaveLength(1);
	});

	it("tells the loser of a race who was first, and refuses unknown entries and intents", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120);
		const fields = { intent: "void", id, reason: "One" };
		const ben = await fleet.as("ben");
		expect((await ben.post("/mileage-reports", fields)).status).toBe(303);
		const late = await ada.post(`/mileage-reports?dialog=void&id=${id}`, {
			...fields,
			reason: "Two",
		});
		expect(late.status).toBe(409);
		expect(late.text).toContain(
			`Failed to void the entry. It was voided on ${describeDate(daysAgo(0))} by Ben Backup.`,
		);
		expect(late.text).not.toContain("Void this entry?");
		for (const unknown of [logId(77), "1' or 1=1", ""])
			expect((await ada.post("/mileage-reports", { ...fields, id: unknown })).status).toBe(404);
		expect((await ada.post("/mileage-reports", { id, reason: "x" })).status).toBe(400);
		expect(await sql("select void_reason, voided_by from mileage_logs")).toEqual([
			{ void_reason: "One", voided_by: idOf("ben") },
		]);
	});

	it("says so when the database fails, and keeps the reason", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120);
		const fields = { intent: "void", id, reason: "Do not lose me" };
		await sql("alter table mileage_logs rename to hidden");
		const answer = await ada.post("/mileage-reports", fields, { mayFail: true });
		await sql("alter table hidden rename to mileage_logs");
		expect(answer.status).toBe(503);
		expect(answer.text).toContain("Failed to void the entry");
		expect(formWith(answer.text, "Send again").fields).toEqual(fields);
		expect(fleet.takeErrors()).toHaveLength(1);
	});
});

it("says that none of a driver's entries is flagged, be it one or several", async () => {
	for (const [number, words] of [
		[1, "The only entry isn't flagged"],
		[2, "None of these 2 entries are flagged"],
	] as const) {
		await insertLog(sql, number, "omar", daysAgo(0), 10);
		const { text } = await ada.get(`/mileage-reports?driver=${idOf("omar")}&show=flagged`);
		expect(text.replaceAll("&#x27;", "'")).toContain(words);
	}
});
