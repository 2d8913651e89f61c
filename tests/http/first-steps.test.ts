/** A new fleet: the setup list, and inviting drivers from a list (docs/decisions/0062). */
import { encode } from "uqr";
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ seed: "admin", isFresh: true });
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

/** The steps by title, and whether each is done. */
const steps = ({ text }: Answer) => {
	const list = /<(?:section)[^>]*aria-labelledby="first-steps"[\s\S]*?<\/section>/.exec(text)?.[0];
	if (list === undefined) return undefined;
	return Object.fromEntries(
		[...list.matchAll(/<h3[^>]*>(.*?)<span[^>]*>(.*?)<\/span>/g)].map(([, title, mark]) => [
			title,
			mark === "Done",
		]),
	);
};
const plain = ({ text }: Answer) =>
	text
		.slice(text.indexOf("<main"))
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&#x27;", "'")
		.replace(/\s+/g, " ");
const invite = (people: string, key = crypto.randomUUID()) =>
	ada.post("/drivers?dialog=add-many", { intent: "add-many", people, key });
const listIn = ({ text }: Answer) => /<textarea[^>]*name="people"[^>]*>([^<]*)/.exec(text)?.[1];
const drivers = () =>
	sql(
		"select email, first_name, last_name, driver_number, approval_status, invited_at is not null as invited from users where role = 'driver' order by driver_number",
	);

it("starts with the setup list", async () => {
	const page = await ada.get("/");
	expect(steps(page)).toEqual({
		"Your name": true,
		"Name the fleet": false,
		"Invite your drivers": false,
		"Install on phones": false,
		Email: false,
		"Review the settings": false,
	});
	expect(page.text.indexOf('id="first-steps"')).toBeLessThan(page.text.indexOf("Total Drivers"));
	expect(plain(page)).toContain("1 of 6 done.");
	expect(plain(page)).toContain("Email isn't set up");
	expect(plain(page)).toContain("$0.85 of fuel per mile, an alert above 5 pending requests");
	expect(page.headers.get("Server-Timing")).toContain("1 trip,");
});

it("shows the app's URL as a QR code drawn on the server", async () => {
	const { text } = await ada.get("/");
	const [, size, path] =
		/aria-label="QR code of http:\/\/localhost:8787"[^>]*viewBox="0 0 (\d+) \d+"[\s\S]*?<path d="([^"]*)"/.exec(
			text,
		) ?? [];
	const { data } = encode("http://localhost:8787", { border: 4 });
	expect(Number(size)).toBe(data.length);
	const drawn = data.map((row) => row.map(() => false));
	for (const [, x, y, length] of (path ?? "").matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
		drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
	expect(drawn).toEqual(data);
});

it("saves the administrator's name", async () => {
	await sql("update users set last_name = '' where id = ?", idOf("ada"));
	expect(steps(await ada.get("/"))?.["Your name"]).toBe(false);
	const saved = await ada.post("/profile", { firstName: "Ada", lastName: "Lovelace" });
	expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/"]);
	const page = await ada.get("/");
	expect(steps(page)?.["Your name"]).toBe(true);
	expect(plain(page)).toContain("Ada Lovelace");
});

it("cuts no line of a list that is too long, so that nobody else's address is invited", async () => {
	const lines = Array.from({ length: 1100 }, (_, each) => `d${1000 + each}@fleet.company`);
	for (const many of [1, 2]) {
		const sent = Array.from({ length: many }, () => lines).flat();
		const refused = await invite(sent.join("\n"));
		expect(refused.status).toBe(400);
		expect(plain(refused)).toContain("Only the first lines are kept here");
		const kept = (listIn(refused) ?? "").trim().split("\n");
		expect(kept.length).toBeGreaterThan(900);
		expect(kept).toEqual(lines.slice(0, kept.length));
	}
	expect(await drivers()).toEqual([]);
	// A form that is too long even to be read is cut too, and refused when it is sent again.
	const beyond = await invite(
		Array.from({ length: 5 }, () => lines)
			.flat()
			.join("\n"),
	);
	expect(beyond.status).toBe(413);
	const again = await invite((listIn(beyond) ?? "").trim());
	expect([again.status, await drivers()]).toEqual([400, []]);
});

it("invites everyone on the list once; only invalid lines stay in the form", async () => {
	expect((await ada.get("/drivers?dialog=add-many")).text).toContain("Add Many Drivers");
	const mixed = await invite(
		"Email,First name,Last name\nana@x.test,Ana,Lima\nnobody,No,Body\nben@x.test,,\nADMIN@milepost.test,Me,Too\nAna@x.test,Ana,Lima",
	);
	expect(mixed.status).toBe(400);
	expect(plain(mixed)).toContain("2 invited Ana Lima (DRV-0001) ben@x.test (DRV-0002)");
	expect(plain(mixed)).toContain("3 not invited nobody,No,Body No valid email address");
	expect(plain(mixed)).toContain(
		"ADMIN@milepost.test,Me,Too admin@milepost.test already belongs to Ada Admin. Open Ada Admin",
	);
	expect(plain(mixed)).toContain("Ana@x.test,Ana,Lima ana@x.test is on the list twice.");
	// Ana is invited, so her second line is done with.
	expect(listIn(mixed)).toBe(
		"Email,First name,Last name\nnobody,No,Body\nADMIN@milepost.test,Me,Too",
	);
	expect(await drivers()).toEqual([
		{
			email: "ana@x.test",
			first_name: "Ana",
			last_name: "Lima",
			driver_number: 1,
			approval_status: "approved",
			invited: 1,
		},
		{
			email: "ben@x.test",
			first_name: "",
			last_name: "",
			driver_number: 2,
			approval_status: "approved",
			invited: 1,
		},
	]);
	const mails = await fleet.sql<{ body: string }>(
		"select body from mails where kind like '%invit%' order by created_at, id",
	);
	expect(mails.map(({ body }) => body.split(",")[0]).sort()).toEqual(["Hello", "Hello Ana"]);
	const made = await sql("select 1 from audit_events where action = 'driver.create'");
	expect(made).toHaveLength(2);
	expect(steps(await ada.get("/"))?.["Invite your drivers"]).toBe(true);
});

it("refuses an empty list under its field", async () => {
	for (const people of ["", " \n"]) {
		const refused = await invite(people);
		expect(refused.status).toBe(400);
		expect(plain(refused)).toContain("Enter at least one email address");
	}
});

it("invites 50 at a time and keeps the rest, and invites no one twice when a list is sent again", async () => {
	const list = Array.from({ length: 60 }, (_, each) => `many${each}@x.test`).join("\n");
	const key = crypto.randomUUID();
	const first = await invite(list, key);
	expect(first.status).toBe(200);
	expect(plain(first)).toContain("50 invited");
	expect(plain(first)).toContain("The other 10 are still in the list.");
	expect(listIn(first)?.split("\n")[0]).toBe("many50@x.test");
	const again = await invite(list, key);
	expect(plain(again)).toContain("50 invited");
	const rest = await invite(listIn(first) ?? "");
	expect([rest.status, rest.headers.get("Location")]).toEqual([303, "/drivers#active"]);
	expect((await ada.get("/drivers")).text).toContain(
		"Invited: many50@x.test (DRV-0051), many51@x.test (DRV-0052), many52@x.test (DRV-0053) and 7 more.",
	);
	expect(await drivers()).toHaveLength(60);
});

it("understands the rest of a CSV by its column names, which stay in the form", async () => {
	const rows = Array.from({ length: 52 }, (_, each) => `Lima${each},Ana${each},csv${each}@x.test`);
	const first = await invite(["Last name,First name,Email", ...rows].join("\n"));
	expect(listIn(first)).toBe(["Last name,First name,Email", ...rows.slice(50)].join("\n"));
	expect((await invite(listIn(first) ?? "")).status).toBe(303);
	const named = await fleet.sql<{ name: string }>(
		"select first_name || ' ' || last_name as name from users where email like 'csv%'",
	);
	expect(named.map(({ name }) => name).filter((name) => !/^Ana\d+ Lima\d+$/.test(name))).toEqual(
		[],
	);
	expect(named).toHaveLength(52);
});

it("asks an invited driver for a name missing from the list, without making it an application", async () => {
	await invite("ben@x.test");
	const ben = await fleet.client().signIn("ben@x.test");
	expect((await ben.get("/")).text).toContain("Complete Your Profile");
	await ben.post("/profile", { firstName: "Ben", lastName: "Oduya" });
	expect((await ben.get("/")).text).toContain("Driver Dashboard");
	expect(await sql("select 1 from mails where subject like 'New driver application%'")).toEqual([]);
});

/** Reviews the settings, and invites a driver who logs a trip. */
async function startUsing() {
	const accounting = { intent: "accounting", accountCode: "449", taxType: "Tax Exempt (0%)" };
	await ada.post("/settings", accounting);
	await invite("ben@x.test");
	const [ben] = await fleet.sql<{ id: string }>("select id from users where email = 'ben@x.test'");
	await insertLog(sql, 1, "dana", daysAgo(1), 40, { driver_id: ben?.id ?? "" });
}

it("checks off settings and phones, and shrinks once drivers use the app", async () => {
	await startUsing();
	const page = await ada.get("/");
	expect(steps(page)).toEqual({ "Name the fleet": false, Email: false });
	expect(page.text.indexOf('id="first-steps"')).toBeGreaterThan(page.text.indexOf("Top Drivers"));
	expect(plain(page)).toContain("Finish setting up: 2 steps left");
	expect(page.text).not.toContain("QR code");
});

it("checks off the fleet's name once it is set", async () => {
	await startUsing();
	await ada.post("/settings", { intent: "fleet", fleetName: "Northside Cars" });
	expect(steps(await ada.get("/"))).toEqual({ Email: false });
	await ada.post("/settings", { intent: "fleet", fleetName: "" });
	expect(Object.keys(steps(await ada.get("/")) ?? {})).toEqual(["Name the fleet", "Email"]);
});

it("disappears for all administrators when dismissed, and can be shown again in Settings", async () => {
	await startUsing();
	const dismissed = await ada.post("/settings", { intent: "setup", setupDismissed: "on" });
	expect([dismissed.status, dismissed.headers.get("Location")]).toEqual([303, "/"]);
	expect(steps(await ada.get("/"))).toBeUndefined();
	expect(plain(await ada.get("/audit?kind=settings.change"))).toContain(
		"Setup list dismissed: no → yes",
	);
	expect((await ada.get("/settings")).text).toContain("Show the setup list again");
	await ada.post("/settings", { intent: "setup" });
	expect(Object.keys(steps(await ada.get("/")) ?? {})).toEqual(["Name the fleet", "Email"]);
});
