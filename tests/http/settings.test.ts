/** The fleet's settings, people's own accounts, and the reminders that depend on both. */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
	addDays,
	type CalendarDate,
	startOfDay,
	weekdayOf,
} from "../../app/values/calendar-date.ts";
import { CAST, type CastName, idOf, ZONE } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const chosen = async () => {
	const rows = await fleet.sql<{ chosen: string }>("select chosen from settings");
	return rows.map((row) => JSON.parse(row.chosen));
};
const choicesOf = async (name: CastName) => {
	const [row] = await fleet.sql<Record<string, number | null>>(
		"select remind_of_miles as miles, remind_of_receipts as receipts, weekly_digest as digest from users where id = ?",
		idOf(name),
	);
	return row;
};
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const isChecked = (html: string, name: string) =>
	/\schecked=""/.test(new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? "");
const isSelected = (html: string, name: string) =>
	/<option value="([^"]*)" selected=""/.exec(
		new RegExp(`<select[^>]*name="${name}"[\\s\\S]*?</select>`).exec(html)?.[0] ?? "",
	)?.[1];

describe("/settings", () => {
	it("shows the defaults in one round trip, under More", async () => {
		await fleet.sql("delete from settings");
		const ada = await fleet.as("ada");
		const page = await ada.get("/settings");
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(
			["remindOfMiles", "remindOfReceipts", "weeklyDigest"].map((name) =>
				isChecked(page.text, name),
			),
		).toEqual([false, true, true]);
		const { fields } = formWith(page.text, "Save accounting");
		expect(fields).toEqual({
			intent: "accounting",
			seen: expect.any(String),
			accountCode: "449",
			settlementAccountCode: "310",
			taxType: "Tax Exempt (0%)",
			quickbooksTaxCode: "",
		});
		expect(page.text).toMatch(/<a href="\/settings"[^>]*aria-current="page"/);
		expect((await ada.get("/email")).text).toContain('href="/settings"');
		expect((await (await fleet.as("dana")).get("/")).text).not.toContain('href="/settings"');
		expect(await chosen()).toEqual([]);
	});

	it("saves a section and leaves the others alone", async () => {
		const ada = await fleet.as("ada");
		const saved = await ada.post("/settings", {
			intent: "reminders",
			remindOfMiles: "on",
			weeklyDigest: "on",
		});
		expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/settings#reminders"]);
		const page = await ada.get("/settings");
		expect(page.text).toContain("Settings saved");
		expect(
			["remindOfMiles", "remindOfReceipts", "weeklyDigest"].map((name) =>
				isChecked(page.text, name),
			),
		).toEqual([true, false, true]);
		await ada.post("/settings", {
			intent: "accounting",
			accountCode: "  Vehicle   costs  ",
			taxType: "",
			remindOfMiles: "on",
		});
		expect(await chosen()).toEqual([
			{ remindOfMiles: true, remindOfReceipts: false, accountCode: "Vehicle costs", taxType: "" },
		]);
		const { text } = await ada.get("/audit?kind=settings.change");
		expect(textOf(text)).toContain("Ada Admin changed the settings");
		expect(textOf(text)).toContain("Reminder about miles: off → on");
		expect(textOf(text)).toContain("Account code: 449 → Vehicle costs");
	});

	it("keeps a setting that the form doesn't have, and empties one that it has", async () => {
		const ada = await fleet.as("ada");
		const post = async (fields: Readonly<Record<string, string>>) => {
			const form = { intent: "accounting", accountCode: "Vehicle costs", ...fields };
			expect((await ada.post("/settings", form)).status).toBe(303);
			return (await chosen())[0]?.quickbooksTaxCode;
		};
		await post({ taxType: "" });
		const before = await chosen();
		expect(await post({ taxType: "", quickbooksTaxCode: " Out  of scope " })).toBe("Out of scope");
		expect(await post({ taxType: "" })).toBe("Out of scope");
		expect(await post({ taxType: "", quickbooksTaxCode: "" })).toBeUndefined();
		expect(await chosen()).toEqual(before);
	});

	it("shows errors under their fields, keeps what was typed, and saves nothing", async () => {
		const ada = await fleet.as("ada");
		const before = await chosen();
		for (const [accountCode, message] of [
			["", "Account code is required"],
			["x".repeat(101), "Use 100 characters or fewer"],
			["Cars\u202e", "This text contains hidden characters"],
		] as const) {
			const refused = await ada.post("/settings", {
				intent: "accounting",
				accountCode,
				taxType: "Kept",
			});
			expect(refused.status).toBe(400);
			const field = /<input[^>]*name="accountCode"[^>]*>/.exec(refused.text)?.[0];
			expect(field).toContain('aria-invalid="true"');
			expect(textOf(refused.text)).toContain(message);
			expect(formWith(refused.text, "Save accounting").fields.taxType).toBe("Kept");
		}
		expect(await chosen()).toEqual(before);
	});

	it("undoes nothing that someone else has saved since the page was opened", async () => {
		await fleet.sql("delete from settings");
		const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
		const open = (button: string) => async (client: typeof ada) =>
			formWith((await client.get("/settings")).text, button);
		const accounting = open("Save accounting");
		const opened = await accounting(ada);
		await ben.post("/settings", { ...(await accounting(ben)).fields, accountCode: "500" });
		// A mistake is corrected on the page that shows it, which is no newer.
		const faulty = await ada.post("/settings", { ...opened.fields, accountCode: "" });
		expect(formWith(faulty.text, "Save accounting").fields.seen).toBe(opened.fields.seen);
		const refused = await ada.post("/settings", { ...opened.fields, taxType: "Exempt" });
		expect(refused.status).toBe(409);
		expect(textOf(refused.text)).toContain(
			"Someone has changed this to 500 since you opened the page",
		);
		expect(await chosen()).toEqual([{ accountCode: "500" }]);
		// What was typed is still there, and is saved once it is sent again.
		const again = formWith(refused.text, "Save accounting");
		expect(again.fields).toMatchObject({ accountCode: "449", taxType: "Exempt" });
		expect((await ada.post("/settings", { ...again.fields, accountCode: "500" })).status).toBe(303);
		expect(await chosen()).toEqual([{ accountCode: "500", taxType: "Exempt" }]);
		// Two who save the same don't stand in each other's way.
		expect(
			(await ada.post("/settings", { ...opened.fields, ...again.fields, accountCode: "500" }))
				.status,
		).toBe(303);

		const { seen = "" } = (await open("Save reminders")(ada)).fields;
		await ben.post("/settings", { intent: "reminders", remindOfReceipts: "on" });
		const switches = { intent: "reminders", remindOfMiles: "on", weeklyDigest: "on" };
		const unsaved = await ada.post("/settings", { ...switches, seen });
		expect(unsaved.status).toBe(409);
		expect(textOf(unsaved.text)).toContain(
			"Someone has changed &#x27;Weekly digest&#x27; to off since you opened the page",
		);
		expect(
			["remindOfMiles", "remindOfReceipts", "weeklyDigest"].map((name) =>
				isChecked(unsaved.text, name),
			),
		).toEqual([true, false, true]);
		await fleet.sql("delete from settings");
	});

	it("refuses a form for an unknown section", async () => {
		const ada = await fleet.as("ada");
		const before = await chosen();
		const forms: readonly Readonly<Record<string, string>>[] = [
			{},
			{ intent: "nonsense", remindOfMiles: "on" },
			{ intent: "__proto__" },
			{ intent: "reminders", remindOfMiles: "maybe" },
		];
		for (const fields of forms) expect((await ada.post("/settings", fields)).status).toBe(400);
		const twice = new URLSearchParams([
			["intent", "accounting"],
			["accountCode", "1"],
			["accountCode", "2"],
		]);
		const repeated = await ada.request("/settings", {
			method: "POST",
			body: twice,
			headers: { "Content-Type": "application/x-www-form-urlencoded" },
		});
		expect(repeated.status).toBe(400);
		expect(await chosen()).toEqual(before);
	});

	it("is refused to drivers", async () => {
		const before = await chosen();
		const dana = await fleet.as("dana");
		expect((await dana.get("/settings")).text).toContain("Admin access required");
		const refused = await dana.post("/settings", { intent: "reminders", remindOfMiles: "on" });
		expect(refused.status).toBe(403);
		const elsewhere = await (await fleet.as("ada")).post(
			"/settings",
			{ intent: "reminders" },
			{ headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" } },
		);
		expect(elsewhere.status).toBe(403);
		expect(await chosen()).toEqual(before);
	});
});

describe("the fleet's name", () => {
	afterAll(() => fleet.sql("delete from settings"));
	const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
	const save = async (fleetName: string) =>
		(await fleet.as("ada")).post("/settings", { intent: "fleet", fleetName });
	beforeEach(async () => {
		await fleet.sql("delete from settings");
		await save("Northside Cars & Co");
	});

	it("is the deployment's until an administrator sets it, and then on everyone's screens", async () => {
		await fleet.sql("delete from settings");
		const [ada, dana, nora] = [
			await fleet.as("ada"),
			await fleet.as("dana"),
			await fleet.as("nora"),
		];
		const before = await ada.get("/settings");
		expect(titleOf(before.text)).toBe("Settings · Milepost");
		expect(formWith(before.text, "Save name").fields).toEqual({
			intent: "fleet",
			seen: '{"fleetName":"Milepost"}',
			fleetName: "Milepost",
		});
		const saved = await save("  Northside \n Cars & Co ");
		expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/settings#fleet"]);
		expect(await chosen()).toEqual([{ fleetName: "Northside Cars & Co" }]);
		for (const [client, path] of [
			[ada, "/"],
			[ada, "/settings"],
			[dana, "/"],
			[dana, "/mileage"],
			[nora, "/"],
			[dana, "/settings"],
			[dana, "/no-such-page"],
		] as const) {
			const { text, headers } = await client.get(path);
			expect(titleOf(text), path).toMatch(/(^|· )Northside Cars &amp; Co$/);
			expect(headers.get("Server-Timing"), path).toContain("1 trip,");
		}
		const { text } = await ada.get("/audit?kind=settings.change");
		expect(textOf(text)).toContain("Fleet name: Milepost → Northside Cars &amp; Co");
	});

	it("stays the deployment's for visitors and on phones", async () => {
		const visitor = fleet.client();
		expect(titleOf((await visitor.get("/")).text)).toBe("Milepost");
		expect(titleOf((await visitor.get("/offline")).text)).toBe("On this phone · Milepost");
		expect((await visitor.get("/manifest.webmanifest")).text).toContain('"name":"Milepost"');
	});

	it("is in emails and on reports", async () => {
		const ada = await fleet.as("ada");
		const email = `${crypto.randomUUID()}@x.test`;
		await ada.call("POST", "/api/drivers", { firstName: "Nia", lastName: "New", email });
		const [mail] = await fleet.sql<{ subject: string; body: string }>(
			"select subject, body from mails where address = ?",
			email,
		);
		expect(mail?.subject).toBe("You're invited to Northside Cars & Co");
		expect(mail?.body).toContain("invited you to join Northside Cars & Co as a driver");
		const report = await ada.call("POST", "/api/reports/generate", {
			type: "expense",
			format: "csv",
			startDate: daysAgo(7),
			endDate: daysAgo(0),
		});
		expect(report.text).toContain("Fleet,Northside Cars & Co");
	});

	it("is refused under its field when it is too long or invisible", async () => {
		for (const [name, message] of [
			["x".repeat(61), "Use 60 characters or fewer"],
			["\u200d\u200d", "Enter a name that can be seen"],
			["Cars\u202e", "This text contains hidden characters"],
		] as const) {
			const refused = await save(name);
			expect(refused.status).toBe(400);
			expect(textOf(refused.text)).toContain(message);
			expect(textOf(refused.text)).not.toContain("Account code is required");
			expect(formWith(refused.text, "Save accounting").fields.accountCode).toBe("449");
		}
		expect(await chosen()).toEqual([{ fleetName: "Northside Cars & Co" }]);
	});

	it("is the deployment's again once cleared", async () => {
		expect((await save("")).status).toBe(303);
		expect(await chosen()).toEqual([{}]);
		expect(titleOf((await (await fleet.as("dana")).get("/")).text)).toMatch(/Milepost$/);
	});
});

describe("/account", () => {
	it("shows drivers who they are, and their reminders with the fleet's default", async () => {
		await fleet.sql("delete from settings");
		const dana = await fleet.as("dana");
		const page = await dana.get("/account");
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(textOf(page.text)).toContain(`Email ${CAST.dana.email}`);
		expect(textOf(page.text)).toContain("Driver ID DRV-0001");
		expect(textOf(page.text)).toContain("Fleet default (off)");
		expect(textOf(page.text)).toContain("Fleet default (on)");
		expect(page.text).not.toContain("weeklyDigest");
		expect(page.text).not.toContain("Not verified");
		expect((await dana.get("/mileage")).text).toContain('href="/account"');
	});

	it("saves a driver's own choice, and audits it", async () => {
		const dana = await fleet.as("dana");
		const { fields, action } = formWith((await dana.get("/account")).text, "Save");
		expect(fields).toMatchObject({ remindOfMiles: "", remindOfReceipts: "" });
		const saved = await dana.post(action, {
			...fields,
			remindOfMiles: "on",
			remindOfReceipts: "off",
			weeklyDigest: "on",
		});
		expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/account#emails"]);
		expect(await choicesOf("dana")).toEqual({ miles: 1, receipts: 0, digest: null });
		expect(await choicesOf("omar")).toEqual({ miles: null, receipts: null, digest: null });
		const page = await dana.get("/account");
		expect(page.text).toContain("Choices saved");
		expect(isSelected(page.text, "remindOfMiles")).toBe("on");
		expect(isSelected(page.text, "remindOfReceipts")).toBe("off");
		await dana.post(action, { ...fields, remindOfMiles: "", remindOfReceipts: "off" });
		expect(await choicesOf("dana")).toEqual({ miles: null, receipts: 0, digest: null });
		const { text } = await (await fleet.as("ada")).get("/audit?kind=account.choose-emails");
		expect(textOf(text)).toContain("Dana Driver (DRV-0001) chose which reminders they get");
		expect(textOf(text)).toContain("Reminder about miles: on → as the fleet");
	});

	it("offers administrators the digest", async () => {
		const ben = await fleet.as("ben");
		const page = await ben.get("/account");
		expect(textOf(page.text)).toContain("Weekly digest");
		expect(page.text).not.toContain("remindOfMiles");
		expect(page.text).not.toContain("Driver ID");
		expect((await ben.post("/account", { weeklyDigest: "off" })).status).toBe(303);
		expect(await choicesOf("ben")).toEqual({ miles: null, receipts: null, digest: 0 });
	});

	it("says that an unverified email gets no reminders", async () => {
		await fleet.sql(
			"update users set email = null, unverified_email = 'lena@elsewhere.test' where id = ?",
			idOf("lena"),
		);
		const lena = fleet.client();
		await lena.signIn(CAST.lena.email);
		const { text } = await lena.get("/account");
		expect(textOf(text)).toContain("lena@elsewhere.test Not verified");
		expect(text).toContain("send you reminders");
		await fleet.sql(
			"update users set email = ?, unverified_email = null where id = ?",
			CAST.lena.email,
			idOf("lena"),
		);
	});

	it("refuses an invalid choice, another account's form, and another site's", async () => {
		const dana = await fleet.as("dana");
		const before = await choicesOf("dana");
		const wrong = await dana.post("/account", { remindOfMiles: "sometimes" });
		expect(wrong.status).toBe(400);
		expect(wrong.text).toContain("Failed to save your choices");
		const others = await dana.post("/account", { asUser: idOf("omar"), remindOfMiles: "on" });
		expect(others.status).toBe(409);
		const elsewhere = await dana.post(
			"/account",
			{ remindOfMiles: "on" },
			{ headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" } },
		);
		expect(elsewhere.status).toBe(403);
		expect(await choicesOf("dana")).toEqual(before);
	});

	it("keeps the choices when a form names an action that it doesn't have", async () => {
		const dana = await fleet.as("dana");
		await dana.post("/account", { remindOfMiles: "off" });
		const chosen = await choicesOf("dana");
		const { status, text } = await dana.post("/account", { intent: "sign-out-all" });
		expect([status, text]).toEqual([
			400,
			expect.stringContaining("This action isn&#x27;t available here. Nothing was changed."),
		]);
		expect(await choicesOf("dana")).toEqual(chosen);
	});

	it("leads a visitor, who typed nothing there, to sign-in", async () => {
		const answer = await fleet.client().post("/account", { remindOfMiles: "on" });
		expect(answer.status).toBe(401);
		expect(answer.text).toMatch(/http-equiv="refresh" content="1; url=/i);
	});
});

describe("the scheduled task", () => {
	afterAll(() => fleet.sql("delete from settings"));

	/** That many minutes after midnight on the next Monday whose previous week includes today. */
	const monday = (minutes: number) => {
		let date: CalendarDate = daysAgo(-1);
		while (weekdayOf(date) !== 1 || date < daysAgo(-7)) date = addDays(date, 1);
		return startOfDay(ZONE, date) + minutes * 60_000;
	};
	const tick = async (moment: number) => {
		const worker = await fleet.worker.getWorker();
		await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(moment) });
	};
	const mails = () =>
		fleet.sql<{ kind: string; address: string }>(
			"select kind, address from mails where kind like 'reminder-%' order by kind, address",
		);

	it("sends reminders and the digest once, to those who chose them", async () => {
		await fleet.sql("delete from settings");
		await fleet.sql(
			"update users set remind_of_miles = null, remind_of_receipts = null, weekly_digest = null",
		);
		const [dana, omar] = [await fleet.as("dana"), await fleet.as("omar")];
		await omar.post("/account", { remindOfReceipts: "off" });
		await dana.post("/account", { remindOfMiles: "on" });
		for (const driver of [dana, omar])
			await driver.call("POST", "/api/fund-requests", {
				type: "gas",
				amount: "40.00",
				description: "Fuel",
			});
		await (await fleet.as("ben")).post("/account", { weeklyDigest: "off" });
		await tick(monday(6 * 60));
		expect(await mails()).toEqual([]);
		await Promise.all([0, 0, 0, 1, 1].map((minute) => tick(monday(8 * 60 + minute))));
		await tick(monday(23 * 60));
		expect(await mails()).toEqual([
			{ kind: "reminder-both", address: CAST.dana.email },
			{ kind: "reminder-digest", address: CAST.ada.email },
		]);
		const lines = fleet.lines.filter((line) => line.startsWith('{"reminders"'));
		expect(lines).toEqual(['{"reminders":{"drivers":1,"administrators":1}}']);
		// By then, the cleanup has removed the sessions that have ended.
		const ada = await fleet.as("ada");
		const outbox = await ada.get("/email");
		expect(outbox.text).toContain("Your week: 2 requests waiting");
		expect(outbox.text).toContain("Reminder: log your miles and add a receipt");
		const audit = textOf((await ada.get("/audit?kind=reminders.queue")).text);
		expect(audit).toContain("Milepost queued the day&#x27;s reminders");
		expect(audit).toContain("Drivers: 1 Administrators: 1");
		// Turning a reminder off cancels one that is still waiting.
		await ada.post("/account", { weeklyDigest: "off" });
		expect(await fleet.sql("select status from mails where kind = 'reminder-digest'")).toEqual([
			{ status: "cancelled" },
		]);
	});
});
