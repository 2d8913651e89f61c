/** Finding people and their records: suggestions, the search box and a driver's page. */
import { beforeAll, describe, expect, it } from "vitest";
import { idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { costOf } from "../support/cost.ts";
import { textOf } from "../support/drivers.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
const sql = <Row = Record<string, unknown>>(query: string, ...values: unknown[]) =>
	fleet.sql<Row>(query, ...values);
const suggest = async (search: string, among = "approvedDrivers") => {
	const answer = await ada.get(`/api/people?${new URLSearchParams({ search, among })}`);
	expect(answer.status).toBe(200);
	return {
		...(JSON.parse(answer.text) as {
			people: { id: string; label: string; email: string | null }[];
			found: string;
		}),
		cost: costOf(answer),
	};
};
const find = (q: string) => ada.get(`/find?${new URLSearchParams({ q })}`);
const redirectFor = async (q: string) => {
	const answer = await find(q);
	expect([answer.status, costOf(answer).trips], q).toEqual([302, 1]);
	return answer.headers.get("Location");
};
const linksIn = (html: string) => [
	...new Set(
		[...html.slice(html.indexOf("<main")).matchAll(/href="([^"]*)"/g)].map(([, at = ""]) =>
			at.replaceAll("&amp;", "&"),
		),
	),
];
let requestOne = "";
let payout = { id: "", number: "" };

beforeAll(async () => {
	requestOne = await insertRequest(sql, 1, "omar");
	await insertLog(sql, 1, "omar", daysAgo(2), 120);
	await insertFee(sql, 1, "omar", daysAgo(3));
	await insertApproved(sql, 77, "lena", 12_50);
	payout = await gather(ada, { driverId: idOf("lena") });
});

describe("suggestions", () => {
	it("match any name regardless of case and accents, the driver ID and the email, in one round trip", async () => {
		for (const text of ["Lena Nguyen", "nguyen l", "ŁENA", "drv-3", "DRV-0003", "3", "lena@"]) {
			const { people, found, cost } = await suggest(text);
			expect(people, text).toEqual([
				{ id: idOf("lena"), label: "Łena Nguyễn (DRV-0003)", email: "lena@milepost.test" },
			]);
			expect(found).toBe(`1 match for "${text}".`);
			expect(cost.trips).toBe(1);
		}
	});

	it("stay within the scope", async () => {
		expect((await suggest("ivan", "activeDrivers")).people).toEqual([]);
		expect((await suggest("ivan")).people).toHaveLength(1);
		expect((await suggest("ada")).people).toEqual([]);
		expect((await suggest("ada", "everybody")).people).toHaveLength(1);
		expect(await suggest("", "nonsense")).toMatchObject({ people: [], found: "" });
		expect((await suggest("%_'\"\\")).people).toEqual([]);
	});
});

describe("the search box", () => {
	it("is on every administrator's screen and on no driver's", async () => {
		for (const path of ["/", "/drivers", "/audit"])
			expect((await ada.get(path)).text).toContain('action="/find"');
		const dana = await fleet.as("dana");
		expect((await dana.get("/")).text).not.toContain("/find");
	});

	it("redirects to the only match", async () => {
		for (const q of ["omar", "Okafor, Omar", "DRV-0002", "drv2", "omar@milepost.test"])
			expect(await redirectFor(q)).toBe(`/drivers/${idOf("omar")}`);
		expect(await redirectFor("Ada Admin")).toBe(`/drivers/${idOf("ada")}`);
		for (const q of ["FR-000001", "fr 1", "fr1", "FR-1"])
			expect(await redirectFor(q)).toBe("/fund-requests?open=FR-000001");
		for (const q of [payout.number, `po ${Number(payout.number.slice(3))}`])
			expect(await redirectFor(q)).toBe(`/payouts/${payout.id}`);
	});

	it("lists everything that a number or prefix may match", async () => {
		const one = await find("1");
		expect([one.status, costOf(one).trips]).toEqual([200, 1]);
		expect(linksIn(one.text)).toEqual([
			"/fund-requests?open=FR-000001",
			`/payouts/${payout.id}`,
			`/drivers/${idOf("dana")}`,
		]);
		const several = await find("in");
		expect(textOf(several.text)).toContain('2 matches for "in".');
		expect(linksIn(several.text)).toEqual([`/drivers/${idOf("ivan")}`, `/drivers/${idOf("ines")}`]);
	});

	it("says what can be searched when nothing is found, and shows what was typed", async () => {
		for (const q of ["Qwerty", "FR-999999", "po 99", "%", "_", "<i>&\"'zzz", "' or 1=1 --"]) {
			const { status, text } = await find(q);
			expect(status).toBe(200);
			expect(textOf(text)).toContain("Nothing found for");
			expect(textOf(text)).toContain("a driver ID (DRV-0012), a request number (FR-000012)");
			expect(linksIn(text)).toEqual([]);
			expect(text).not.toContain("<i>&");
		}
		const { status, text } = await ada.get("/find");
		expect(status).toBe(200);
		expect(text).not.toContain("Nothing found");
	});
});

describe("the page of a driver", () => {
	it("shows who they are, their month and their latest entries of each kind, in one round trip", async () => {
		const { status, text, headers } = await ada.get(`/drivers/${idOf("omar")}`);
		expect([status, costOf({ headers }).trips]).toEqual([200, 1]);
		const words = textOf(text);
		for (const each of [
			"Omar Okafor",
			"Driver DRV-0002",
			"omar@milepost.test",
			"Active",
			"This Month",
		])
			expect(words).toContain(each);
		expect(words).toContain("120 mi 2,000 to 2,120");
		expect(linksIn(text)).toEqual(
			expect.arrayContaining([
				"/fund-requests?open=FR-000001",
				`/fund-requests?driver=${idOf("omar")}`,
				`/mileage-reports?driver=${idOf("omar")}&range=custom&startDate=2000-01-01&endDate=${daysAgo(0)}`,
				`/uber-fees?driver=${idOf("omar")}#fees`,
				`/audit?person=${idOf("omar")}`,
			]),
		);
		expect(formWith(text, "Rename").fields).toEqual({ dialog: "rename" });
		const { text: idle } = await ada.get(`/drivers/${idOf("ines")}`);
		expect(textOf(idle)).toContain("No fund requests yet");
		expect(textOf(idle)).toContain("Never");
		expect(textOf(idle)).toContain("Send again");
	});

	it("names each flagged trip once, and leads to it", async () => {
		const path = `/drivers/${idOf("lena")}`;
		const flags = { is_long: 1, is_overlap: 1 };
		const trip = await insertLog(sql, 3, "lena", daysAgo(3), 1500, flags);
		const { text } = await ada.get(path);
		const leading = linksIn(text).filter((at) => at.includes(`#log-${trip}`));
		expect(leading).toHaveLength(1);
		expect((await ada.get(leading[0]?.split("#")[0] ?? "")).text).toContain(`id="log-${trip}"`);
	});

	it("leads to their flagged trips, however old", async () => {
		const path = `/drivers/${idOf("lena")}`;
		const trip = await insertLog(sql, 2, "lena", daysAgo(200), 1200, { is_long: 1 });
		const [link = ""] = linksIn((await ada.get(path)).text).filter((at) => at.includes("flagged"));
		const report = await ada.get(link);
		expect(report.text).toContain(`id="log-${trip}"`);
	});

	it("lists their platform IDs, each with a Remove button", async () => {
		const [row] = platformDriverRows(currentTime()).filter(
			(each) => each.driver_id === idOf("omar"),
		);
		await insertRow(sql, "platform_drivers", row ?? {});
		const page = await ada.get(`/drivers/${idOf("omar")}`);
		expect(textOf(page.text)).toContain(`Uber: OMAR OKAFOR ${row?.platform_id}`);
		const form = formWith(page.text, `Uber ${row?.platform_id}`);
		const removed = await ada.post(form.action, form.fields);
		expect(removed.status).toBe(303);
		expect(removed.headers.get("location")).toBe(`/drivers/${idOf("omar")}#platform-ids`);
		const again = await ada.post(form.action, form.fields);
		expect(again.status).toBe(404);
		expect(textOf(again.text)).toMatch(
			/Not Removed This platform ID was already removed\..*Driver DRV-0002/,
		);
		const after = await ada.get(`/drivers/${idOf("omar")}`);
		expect(textOf(after.text)).not.toContain("Platform IDs");
	});

	it("renames them, deletes them and deactivates an administrator without leaving it", async () => {
		const path = `/drivers/${idOf("lena")}`;
		const [person] = await sql(
			"select first_name, last_name from users where id = ?",
			idOf("lena"),
		);
		const rename = formWith((await ada.get(`${path}?dialog=rename`)).text, "Save");
		const half = await ada.post(rename.action, { ...rename.fields, firstName: "" });
		expect(half.status).toBe(400);
		expect(half.text).toContain("First name is required");
		expect(formWith(half.text, "Save").fields).toMatchObject({
			firstName: "",
			lastName: person?.last_name,
		});
		const same = await ada.post(rename.action, rename.fields);
		expect(same.headers.get("location")).toBe(path);
		const remove = formWith(
			(await ada.get(`${path}?dialog=delete`)).text,
			'name="intent" value="delete"',
		);
		expect(remove.fields).toEqual({ intent: "delete", id: idOf("lena") });
		expect((await ada.post(remove.action, remove.fields)).headers.get("location")).toBe(path);
		const { text: inactive } = await ada.get(path);
		const activate = formWith(inactive, "Activate");
		expect((await ada.post(path, activate.fields)).headers.get("location")).toBe(path);

		const admin = `/drivers/${idOf("ben")}`;
		const deactivate = formWith(
			(await ada.get(`${admin}?dialog=deactivate`)).text,
			'name="intent" value="deactivate"',
		);
		expect(deactivate.action).toBe(admin);
		expect((await ada.get(`/drivers/${idOf("ada")}?dialog=deactivate`)).text).not.toContain(
			"<dialog",
		);
	});

	it("offers Rename only for a name that is known, and keeps what was typed when it's refused", async () => {
		const id = crypto.randomUUID();
		await insertRow(sql, "users", {
			id,
			email: "no.name@milepost.test",
			first_name: "",
			last_name: "",
			role: "driver",
			approval_status: "approved",
			driver_number: 813,
			created_at: 1,
		});
		for (const path of [`/drivers/${id}`, "/drivers"])
			expect(textOf((await ada.get(path)).text)).not.toContain("Rename no.name@milepost.test");
		const refused = await ada.post(`/drivers/${id}?dialog=rename`, {
			intent: "rename",
			firstName: "Typed",
			lastName: "Before",
		});
		expect(refused.status).toBe(409);
		expect(textOf(refused.text)).toContain("Rename Failed");
		expect(formWith(refused.text, "Save").fields).toMatchObject({
			firstName: "Typed",
			lastName: "Before",
		});
	});

	it("counts an open payout as unpaid, until it is paid", async () => {
		const unpaid = async () =>
			/To be paid (\S+)/.exec(textOf((await ada.get(`/drivers/${idOf("lena")}`)).text))?.[1];
		await insertApproved(sql, 900, "lena", 31_14);
		await insertApproved(sql, 901, "lena", 10_00);
		const [first] = await sql<{ id: string }>("select id from fund_requests where number = 900");
		const latest = async (number: string) =>
			new RegExp(`${number} .*? Approved`).exec(
				textOf((await ada.get(`/drivers/${idOf("lena")}`)).text),
			)?.[0];
		const open = await gather(ada, { requestIds: [first?.id] });
		expect(await unpaid()).toBe("$53.64");
		expect(await latest("FR-000900")).toContain(` · In ${open.number} `);
		await ada.call("PUT", `/api/payouts/${open.id}`, { status: "paid", paidOn: daysAgo(0) });
		expect(await unpaid()).toBe("$22.50");
		expect(await latest("FR-000900")).toContain(` · ${open.number} `);
		expect(await latest("FR-000900")).toContain(" · Paid ");
		expect(await latest("FR-000901")).not.toContain("PO-");
	});

	it("offers no decision about someone who hasn't given their name", async () => {
		const { text } = await ada.get(`/drivers/${idOf("nina")}`);
		expect(text).toContain(">Profile not completed<");
		for (const words of [">Pending approval<", ">Approve<", ">Reject<"])
			expect(text).not.toContain(words);
	});

	it("offers the list's actions, and returns to the page", async () => {
		const page = `/drivers/${idOf("nora")}`;
		const offered = async () => {
			const { text } = await ada.get(page);
			return ["Approve", "Reject"].filter((words) => text.includes(`>${words}<`));
		};
		expect(await offered()).toEqual(["Approve", "Reject"]);
		const rejected = await ada.post(page, { intent: "reject" });
		expect([rejected.status, rejected.headers.get("Location")]).toEqual([303, page]);
		// A slip can be corrected.
		expect(await offered()).toEqual(["Approve"]);
		const approved = await ada.post(page, { intent: "approve" });
		expect([approved.status, approved.headers.get("Location")]).toEqual([303, page]);
		expect(textOf((await ada.get(page)).text)).toContain("Driver has been successfully approved");
		const again = await ada.post(page, { intent: "approve" });
		expect(again.status).toBe(409);
		expect(textOf(again.text)).toContain("was already approved");
		// The URL decides whom the post is about, whatever the form says.
		await ada.post(page, { intent: "deactivate", id: idOf("dana") });
		expect(
			await sql(
				"select is_active from users where id in (?, ?) order by is_active",
				idOf("nora"),
				idOf("dana"),
			),
		).toEqual([{ is_active: 0 }, { is_active: 1 }]);
		await ada.post(page, { intent: "activate" });
		expect((await ada.post(page, { intent: "nonsense" })).status).toBe(400);
	});

	it("is 404 for an unknown person, and doesn't let you deactivate yourself", async () => {
		for (const id of ["99999999-9999-4999-8999-999999999999", "x", "DRV-0001"])
			expect((await ada.get(`/drivers/${id}`)).status).toBe(404);
		expect((await ada.get(`/drivers/${idOf("ada")}`)).text).toContain("This is your own account.");
		expect((await ada.post(`/drivers/${idOf("ada")}`, { intent: "deactivate" })).status).not.toBe(
			303,
		);
	});

	it.each([
		["/drivers", "dana"],
		["/fund-requests", "omar"],
		["/uber-fees", "omar"],
		["/payouts", "omar"],
		["/mileage-reports", "omar"],
		["/uber-fees/import", "dana"],
		["/audit", "ada"],
		["/", "omar"],
	] as const)("is linked from names on %s", async (path, name) => {
		if (path === "/payouts") await insertApproved(sql, 78, "omar", 12_50);
		if (path === "/uber-fees/import") {
			const aliases = platformDriverRows(currentTime());
			const alias = aliases.find((each) => each.driver_id === idOf(name));
			await insertRow(sql, "platform_drivers", alias ?? {});
		}
		expect(linksIn((await ada.get(path)).text)).toContain(`/drivers/${idOf(name)}`);
	});
});

describe("the audit", () => {
	it("describes a change in a sentence and links to the person who made it", async () => {
		await ada.post("/drivers", { intent: "delete", id: idOf("dana") });
		const { text } = await ada.get("/audit?kind=user.deactivate");
		expect(textOf(text)).toContain("Active: yes → no");
		expect(textOf(text)).not.toMatch(/true|false/);
		expect(linksIn(text)).toEqual(
			expect.arrayContaining([`/drivers/${idOf("ada")}`, `/drivers/${idOf("dana")}`]),
		);
		expect(requestOne).not.toBe("");
	});
});
