/** Limits on what people may repeat, counted where it is written. */
import { describe, expect, it } from "vitest";
import { MAX_CHOICES_PER_HOUR, MAX_NAMES_PER_HOUR } from "../../app/domain/kernel/limits.ts";
import { CAST, type CastName, idOf } from "../support/cast.ts";
import { textOf } from "../support/drivers.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const entriesOf = async (name: CastName, action: string) =>
	(
		await fleet.sql<{ n: number }>(
			"select count(*) as n from audit_events where actor_id = ? and action = ?",
			idOf(name),
			action,
		)
	)[0]?.n;
describe("one's own name", () => {
	it("can be changed ten times an hour by someone under review, by form and JSON together", async () => {
		const nora = await fleet.as("nora");
		const put = (firstName: string) =>
			nora.call("PUT", "/api/profile", { firstName, lastName: "New" });
		const answers = await Promise.all(
			Array.from({ length: 40 }, (_, number) =>
				put(`Nora${"abcdefghij"[number % 10]}${number < 20 ? "x" : "y"}${number}`),
			),
		);
		const statuses = answers.map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_NAMES_PER_HOUR);
		expect(new Set(statuses)).toEqual(new Set([200, 429]));
		expect(await entriesOf("nora", "profile.complete")).toBe(MAX_NAMES_PER_HOUR);
		const refused = await put("Once");
		expect(refused.status).toBe(429);
		expect(refused.headers.get("Retry-After")).toBe("600");
		expect(JSON.parse(refused.text)).toEqual({
			message: "You can change your name 10 times an hour. Please try again later.",
		});
		const page = await nora.post("/profile", { firstName: "Typed", lastName: "Name" });
		expect(page.status).toBe(429);
		expect(page.headers.get("Retry-After")).toBe("600");
		expect(textOf(page.text)).toContain(
			"Failed to update profile. Please try again. You can change your name 10 times an hour.",
		);
		expect(page.text).toContain('value="Typed"');
		expect(await entriesOf("nora", "profile.complete")).toBe(MAX_NAMES_PER_HOUR);
	});

	it("is answered as before where it is the same, and counts for each person on their own", async () => {
		const nora = await fleet.as("nora");
		const { text } = await nora.get("/api/auth/user");
		const { firstName, lastName } = JSON.parse(text);
		expect((await nora.call("PUT", "/api/profile", { firstName, lastName })).status).toBe(200);
		const ada = await fleet.as("ada");
		const own = { firstName: CAST.ada.firstName, lastName: "Other" };
		expect((await ada.call("PUT", "/api/profile", own)).status).toBe(200);
	});
});

describe("one's own reminders", () => {
	it.each(["dana", "ada"] as const)("can be chosen thirty times an hour by %s", async (name) => {
		const person = await fleet.as(name);
		const choose = (number: number) => {
			const choice = number % 2 ? "on" : "off";
			return person.post(
				"/account",
				name === "ada"
					? { weeklyDigest: choice }
					: { remindOfMiles: choice, remindOfReceipts: choice },
			);
		};
		for (let number = 0; number < MAX_CHOICES_PER_HOUR; number++)
			expect((await choose(number)).status).toBe(303);
		const refused = await choose(MAX_CHOICES_PER_HOUR);
		expect(refused.status).toBe(429);
		expect(refused.headers.get("Retry-After")).toBe("600");
		expect(textOf(refused.text)).toContain(
			"Failed to save your choices. You can change your reminders 30 times an hour.",
		);
		expect(await entriesOf(name, "account.choose-emails")).toBe(MAX_CHOICES_PER_HOUR);
		// What is chosen already is no change.
		expect((await choose(MAX_CHOICES_PER_HOUR - 1)).status).toBe(303);
	});
});
