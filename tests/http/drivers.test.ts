/** Driver Management: the screen without JavaScript, and the calls behind the same commands (spec §2, §7, §8). */
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { CAST, idOf } from "../cast.ts";
import { formWith } from "../forms.ts";
import { type Answer, type Client, openFleet } from "../worker.ts";

const fleet = await openFleet();
let ada: Client;
beforeAll(async () => {
	ada = await fleet.as("ada");
});

const trips = (answer: Answer) => /d1;desc="(\d+) trips?/.exec(answer.headers.get("Server-Timing") ?? "")?.[1];
/** What a person reads: tags gone, spaces joined. */
const textOf = (html: string) =>
	html
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("&amp;", "&")
		.replace(/\s+/g, " ");
/** The part of the page under one heading. */
const sectionOf = (page: Answer, title: string) =>
	page.text.split("<section").find((part) => new RegExp(`<h2[^>]*>${title}</h2>`).test(part)) ?? "";
const rowOf = async (id: string) => (await fleet.sql("select * from users where id = ?", id))[0];

let strangers = 0;
async function stranger(more: Record<string, string | number | null> = {}): Promise<string> {
	const id = crypto.randomUUID();
	const row = {
		id,
		role: "driver",
		first_name: "Sam",
		last_name: `Stranger${++strangers}`,
		email: `sam${strangers}@milepost.test`,
		approval_status: "approved",
		is_active: 1,
		created_at: Date.now(),
		applied_at: Date.now() + strangers,
		...more,
	};
	await fleet.sql(
		`insert into users (${Object.keys(row).join(", ")}) values (${Object.keys(row)
			.map(() => "?")
			.join(", ")})`,
		...Object.values(row),
	);
	return id;
}
const act = (intent: string, id: string, client = ada) => client.post("/drivers", { intent, id });
/** A post that succeeds, and the page it leads to. */
async function done(intent: string, id: string): Promise<Answer> {
	const answer = await act(intent, id);
	expect(answer.status, textOf(answer.text).slice(0, 400)).toBe(303);
	expect(answer.headers.get("Location")).toBe(`/drivers#row-${id}`);
	expect(trips(answer)).toBe("2");
	return ada.get("/drivers");
}

describe("the screen", () => {
	it("shows everybody where he belongs, in one trip", async () => {
		const page = await ada.get("/drivers");
		expect(page.status).toBe(200);
		expect(trips(page)).toBe("1");
		expect(page.text).toContain(">Driver Management</h1>");
		expect(page.text).toContain("1 pending application<");
		expect(formWith(page.text, "Add Driver")).toMatchObject({ action: "/drivers", fields: { dialog: "add-driver" } });
		expect(formWith(page.text, "Create Admin")).toMatchObject({ action: "/drivers", fields: { dialog: "create-admin" } });
		const pending = textOf(sectionOf(page, "Pending Approvals"));
		expect(pending).toMatch(
			/Nora Newcomer nora@milepost\.test Applied [A-Z][a-z]{2} \d{1,2}, \d{4} Approve Nora Newcomer Reject Nora Newcomer/,
		);
		expect(pending).not.toContain("nina@");
		const active = textOf(sectionOf(page, "Active Drivers"));
		expect(active).toMatch(
			/DRV-0001 Dana Driver dana@milepost\.test [A-Z][a-z]{2} \d{1,2}, \d{4} Active Rename Dana Driver Delete Dana Driver/,
		);
		expect(active).toMatch(/Inès Invited .* Invited until .* Send again Inès Invited Cancel Inès Invited/);
		expect(active).not.toContain("Ivan");
		expect(textOf(sectionOf(page, "Inactive Drivers"))).toMatch(/DRV-0004 Ivan Inactive .* Activate Ivan Inactive/);
		expect(textOf(sectionOf(page, "Rejected"))).toMatch(/Rex Refused .* Approve Rex Refused/);
		const administrators = textOf(sectionOf(page, "Administrators"));
		expect(administrators).toContain("Deactivate Ben Backup");
		expect(administrators).not.toContain("Deactivate Ada");
		expect(page.text).not.toMatch(/ style="|<script(?![^>]* src=)| on\w+="/);
	});

	it("fits the budget, its stylesheet included", async () => {
		const page = await ada.get("/drivers");
		const stylesheet = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text)?.[1] ?? "";
		const css = await ada.get(stylesheet);
		expect(css.text.length).toBeGreaterThan(1000);
		expect(gzipSync(page.text).length + gzipSync(css.text).length).toBeLessThanOrEqual(20_480);
	});

	it("says N/A and Legacy for what is not known", async () => {
		const id = await stranger({ approved_at: null, driver_number: null });
		expect(textOf(sectionOf(await ada.get("/drivers"), "Active Drivers"))).toMatch(
			/N\/A Sam Stranger\d+ sam\d+@milepost\.test Legacy Active/,
		);
		await fleet.sql("update users set deleted_at = 1, is_active = 0 where id = ?", id);
	});

	it("says what is empty", async () => {
		const lonely = await openFleet({ seed: "admin" });
		const page = await (await lonely.as("ada")).get("/drivers");
		for (const words of ["0 pending applications", "No pending driver applications", "No active drivers"])
			expect(page.text).toContain(words);
		for (const title of ["Inactive Drivers", "Rejected"]) expect(sectionOf(page, title)).toBe("");
	});
});

describe("dialogs", () => {
	it.each([
		["add-driver", "Add Driver"],
		["create-admin", "Create Admin"],
	])("%s is an open dialog with three required fields", async (name, title) => {
		const { text } = await ada.get(`/drivers?dialog=${name}`);
		const dialog = /<dialog open="" class="sheet.*<\/dialog>/s.exec(text)?.[0] ?? "";
		expect(dialog).toContain('data-modal="/drivers"');
		expect(dialog).toContain(`>${title}</h2>`);
		expect(dialog).toContain('data-complete-first=""');
		expect(dialog).toMatch(/<label for="email"[^>]*>Email<\/label><\/span><input type="email"[^>]*name="email"[^>]*required=""/);
		for (const [field, label] of [
			["firstName", "First Name"],
			["lastName", "Last Name"],
		])
			expect(dialog).toMatch(
				new RegExp(`<label for="${field}"[^>]*>${label}</label></span><input type="text"[^>]*name="${field}"[^>]*required=""`),
			);
		expect(dialog).toMatch(/data-pending="Creating\.\.\."[^>]*>Create<\/button>/);
		expect(dialog).toMatch(
			/<button type="submit"[^>]* form="([\w-]+)-close">Cancel<\/button>[\s\S]*<form id="\1-close" method="get" action="\/drivers">/,
		);
	});

	it("asks before it deletes a driver or deactivates an administrator", async () => {
		const remove = await ada.get(`/drivers?dialog=delete&id=${idOf("dana")}`);
		expect(trips(remove)).toBe("1");
		expect(remove.text).toContain(">Delete Driver</h2>");
		expect(remove.text).toContain(
			"Are you sure you want to delete Dana Driver? This action will deactivate the driver and cannot be undone.",
		);
		const deactivate = await ada.get(`/drivers?dialog=deactivate&id=${idOf("ben")}`);
		expect(deactivate.text).toContain("Are you sure you want to deactivate Ben Backup?");
	});

	it("opens none for a dialog or a person that is not there", async () => {
		const nobody = "99999999-9999-4999-8999-999999999999";
		for (const query of [
			"dialog=nonsense",
			`dialog=delete&id=${nobody}`,
			`dialog=delete&id=${idOf("ben")}`,
			"dialog=delete&id=%00",
			`dialog=deactivate&id=${idOf("dana")}`,
		]) {
			const page = await ada.get(`/drivers?${query}`);
			expect(page.status).toBe(200);
			expect(page.text).not.toContain('class="sheet');
		}
	});
});

describe("changes on the screen", () => {
	it("approves: the driver gets an ID, the toast, and his next request is the portal", async () => {
		const nora = await fleet.as("nora");
		expect((await nora.get("/")).text).toContain("Application Under Review");
		const page = await done("approve", idOf("nora"));
		expect(page.text).toContain("Driver Approved");
		expect(page.text).toContain("Driver has been successfully approved and assigned a driver ID");
		expect(textOf(sectionOf(page, "Active Drivers"))).toContain("DRV-0006 Nora Newcomer");
		expect(sectionOf(page, "Pending Approvals")).toContain("No pending driver applications");
		expect((await nora.get("/")).text).toContain("Driver Dashboard");
	});

	it("tells the second administrator who was first", async () => {
		for (const intent of ["approve", "reject"]) {
			const answer = await act(intent, idOf("nora"), await fleet.as("ben"));
			expect(answer.status).toBe(409);
			expect(textOf(answer.text)).toMatch(/Nora Newcomer was already approved by Ada Admin on [A-Z][a-z]{2} \d{1,2}, \d{4}\./);
			expect(answer.text).toContain(intent === "approve" ? "Failed to approve driver. Please try again." : "Rejection Failed");
			expect(answer.text).toContain(">Driver Management</h1>");
		}
	});

	it("rejects, shows the gate, and mends the slip", async () => {
		const id = await stranger({ approval_status: "pending", first_name: "Slip" });
		expect(textOf((await done("reject", id)).text)).toContain("Driver Rejected Driver application has been rejected");
		const page = await done("approve", id);
		expect(textOf(sectionOf(page, "Active Drivers"))).toContain("DRV-0007 Slip");
	});

	it("deletes: every session ends at once, the landing screen says why, and Activate brings him back", async () => {
		const omar = await fleet.as("omar");
		expect((await omar.get("/")).text).toContain("Driver Dashboard");
		const page = await done("delete", idOf("omar"));
		expect(textOf(page.text)).toContain("Driver Deleted Omar Okafor has been deactivated.");
		expect(sectionOf(page, "Inactive Drivers")).toContain("Omar Okafor");
		const notice = "Your account has been deactivated. Contact your fleet administrator.";
		const landing = await omar.get("/");
		expect(landing.status).toBe(200);
		expect(landing.text).toContain(notice);
		expect(landing.text).not.toContain("Driver Dashboard");
		expect((await omar.get("/api/auth/user")).status).toBe(401);
		expect((await fleet.client().post("/api/login", { email: CAST.omar.email })).text).toContain(notice);
		expect((await act("delete", idOf("omar"))).text).toContain("Omar Okafor is already inactive.");
		const back = await done("activate", idOf("omar"));
		expect(textOf(back.text)).toContain("Driver Status Updated Omar Okafor has been activated.");
		expect((await omar.get("/")).text).not.toContain("Driver Dashboard");
		expect((await (await fleet.as("omar")).get("/")).text).toContain("Driver Dashboard");
	});

	it("deactivates an administrator, never oneself", async () => {
		const ben = await fleet.as("ben");
		const self = await act("deactivate", idOf("ada"));
		expect(self.status).toBe(409);
		expect(textOf(self.text)).toContain("Status Update Failed Nobody can deactivate himself");
		expect(textOf((await done("deactivate", idOf("ben"))).text)).toContain("Administrator Deactivated Ben Backup has been deactivated.");
		expect((await ben.get("/drivers")).status).toBe(401);
		// Ada is now the last one.
		expect((await act("deactivate", idOf("ada"))).status).toBe(409);
		expect((await ada.call("DELETE", `/api/drivers/${idOf("ada")}`)).status).toBe(409);
		expect((await ada.call("PUT", `/api/drivers/${idOf("ada")}/toggle`)).status).toBe(409);
		expect(await rowOf(idOf("ada"))).toMatchObject({ is_active: 1 });
		expect(textOf((await done("activate", idOf("ben"))).text)).toContain("Administrator Activated");
	});

	it("adds a driver, who claims the invitation with his first sign-in", async () => {
		const fields = { intent: "add-driver", email: " New.Hand@Milepost.test ", firstName: "New", lastName: "Hand" };
		const answer = await ada.post("/drivers?dialog=add-driver", fields);
		expect(answer.status).toBe(303);
		expect(trips(answer)).toBe("2");
		expect(answer.headers.get("Location")).toMatch(/^\/drivers#row-[0-9a-f-]{36}$/);
		const page = await ada.get("/drivers");
		expect(textOf(page.text)).toContain("Driver Created New driver has been successfully created and approved");
		expect(textOf(sectionOf(page, "Active Drivers"))).toMatch(/DRV-0008 New Hand new\.hand@milepost\.test .* Invited/);
		const home = await (await fleet.client().signIn("new.hand@milepost.test")).get("/");
		expect(home.text).toContain("Driver Dashboard");
		expect(textOf(sectionOf(await ada.get("/drivers"), "Active Drivers"))).toMatch(
			/New Hand new\.hand@milepost\.test [^@]* Active Rename New Hand/,
		);
	});

	it("creates an administrator", async () => {
		const page = await ada.postAndFollow("/drivers?dialog=create-admin", {
			intent: "create-admin",
			email: "chief@milepost.test",
			firstName: "Chris",
			lastName: "Chief",
		});
		expect(textOf(page.text)).toContain("Admin Created Chris Chief has been invited as an administrator.");
		expect(textOf(sectionOf(page, "Administrators"))).toMatch(
			/Chris Chief chief@milepost\.test Invited until .* Send again Chris Chief Cancel Chris Chief/,
		);
		expect((await (await fleet.client().signIn("chief@milepost.test")).get("/")).text).toContain("Fleet Overview");
	});

	it("keeps the dialog open with what was typed when it cannot be taken", async () => {
		const invalid = await ada.post("/drivers?dialog=add-driver", {
			intent: "add-driver",
			email: "not an address",
			firstName: "Kept",
			lastName: " ",
		});
		expect(invalid.status).toBe(400);
		expect(invalid.text).toContain('class="sheet');
		expect(invalid.text).toContain("Please enter an e-mail address such as name@example.com");
		expect(invalid.text).toContain("Last name is required");
		expect(invalid.text).toMatch(/name="email"[^>]*value="not an address"/);
		expect(invalid.text).toMatch(/name="firstName"[^>]*value="Kept"/);
		const empty = await ada.post("/drivers?dialog=create-admin", { intent: "create-admin", email: "", firstName: "", lastName: "" });
		expect(empty.status).toBe(400);
		for (const words of ["Email is required", "First name is required", "Last name is required"]) expect(empty.text).toContain(words);
		const before = await rowOf(idOf("dana"));
		for (const [intent, sentence] of [
			["add-driver", "Failed to create driver. Please try again."],
			["create-admin", "Failed to create admin user. Please try again."],
		] as const) {
			const taken = await ada.post(`/drivers?dialog=${intent}`, { intent, email: CAST.dana.email, firstName: "Kept", lastName: "Too" });
			expect(taken.status).toBe(409);
			expect(textOf(taken.text)).toContain(`Creation Failed ${sentence}`);
			expect(taken.text).toContain("dana@milepost.test already belongs to Dana Driver.");
			expect(taken.text).toContain('class="sheet');
			expect(taken.text).toMatch(/name="lastName"[^>]*value="Too"/);
		}
		expect(await rowOf(idOf("dana"))).toEqual(before);
	});

	it("sends an invitation again, and cancels it", async () => {
		await fleet.sql("update users set invite_expires_at = 1 where id = ?", idOf("ines"));
		expect(textOf(sectionOf(await ada.get("/drivers"), "Active Drivers"))).toMatch(
			/Inès Invited [^@]*@milepost\.test [^@]* Invited run out/,
		);
		expect(textOf((await done("renew", idOf("ines"))).text)).toContain("Invitation Sent Inès Invited has a new invitation.");
		const page = await done("cancel", idOf("ines"));
		expect(textOf(page.text)).toContain("Invitation Cancelled");
		expect(sectionOf(page, "Active Drivers")).not.toContain("Inès");
		expect(sectionOf(page, "Inactive Drivers")).not.toContain("Inès");
		expect((await (await fleet.client().signIn(CAST.ines.email)).get("/")).text).toContain("Complete Your Profile");
	});

	it("corrects a name, on one line, and keeps the dialog when one part is missing", async () => {
		const empty = await ada.post(`/drivers?dialog=rename&id=${idOf("lena")}`, {
			intent: "rename",
			id: idOf("lena"),
			firstName: "",
			lastName: "Kept",
		});
		expect(empty.status).toBe(400);
		expect(empty.text).toContain("First name is required");
		expect(empty.text).toMatch(/name="firstName"[^>]*value=""/);
		expect(empty.text).toMatch(/name="lastName"[^>]*value="Kept"/);
		const page = await ada.postAndFollow(`/drivers?dialog=rename&id=${idOf("lena")}`, {
			intent: "rename",
			id: idOf("lena"),
			firstName: "Lena\n  Maria",
			lastName: "Nguyen",
		});
		expect(textOf(page.text)).toContain("Name Corrected The driver's name is now Lena Maria Nguyen.");
		expect(page.text).not.toContain('class="sheet');
	});

	it("answers 404 for nobody, whatever the id looks like, and 400 for an intent it does not know", async () => {
		for (const intent of ["approve", "reject", "delete", "activate", "deactivate", "renew", "cancel"]) {
			for (const id of ["99999999-9999-4999-8999-999999999999", "", "1' or '1'='1", "💥"]) {
				const answer = await act(intent, id);
				expect(answer.status).toBe(404);
				expect(answer.text).toContain("There is no such person.");
			}
		}
		for (const intent of ["", "constructor", "toString", "promote"]) expect((await act(intent, idOf("dana"))).status).toBe(400);
	});

	it("pages the active drivers, each on one page, and returns to the same page after a change", async () => {
		const ids = await Promise.all(Array.from({ length: 115 }, () => stranger({ last_name: "Same", first_name: "Name" })));
		const seen: string[] = [];
		let next: string | undefined = "/drivers";
		let pages = 0;
		let second = "";
		for (; next; pages++) {
			const page: Answer = await ada.get(next);
			expect(trips(page)).toBe("1");
			const section = sectionOf(page, "Active Drivers");
			const rows = [...section.matchAll(/<tr id="row-([^"]+)"/g)].map(([, id]) => id ?? "");
			expect(rows.length).toBeLessThanOrEqual(50);
			seen.push(...rows);
			if (pages === 1) second = next;
			next = /<a [^>]*href="([^"]+)"[^>]*>Next page<\/a>/.exec(section)?.[1]?.replaceAll("&amp;", "&");
		}
		expect(pages).toBe(3);
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen).toEqual(expect.arrayContaining(ids));
		const answer = await ada.post(second, { intent: "delete", id: ids[0] ?? "" });
		expect(answer.headers.get("Location")).toBe(`${second}#row-${ids[0]}`);
		expect((await ada.get("/drivers?active=nonsense")).text).toContain("Dana Driver");
		await fleet.sql("update users set deleted_at = 1, is_active = 0 where last_name = 'Same'");
	});

	it("shows the 50 oldest applications and counts the rest", async () => {
		await Promise.all(Array.from({ length: 53 }, () => stranger({ approval_status: "pending", last_name: "Waiting" })));
		const page = await ada.get("/drivers");
		expect(page.text).toContain("53 pending applications");
		const section = sectionOf(page, "Pending Approvals");
		expect(section.match(/<li /g)).toHaveLength(50);
		expect(textOf(section)).toContain("3 more will follow");
		await fleet.sql("update users set approval_status = 'rejected', deleted_at = 1 where last_name = 'Waiting'");
	});
});

describe("the calls", () => {
	const USER = {
		id: expect.any(String),
		role: "driver",
		firstName: expect.any(String),
		lastName: expect.any(String),
		email: expect.any(String),
		approvalStatus: "approved",
		isActive: true,
		createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
	};
	const json = (answer: Answer) => JSON.parse(answer.text);

	it("lists active, pending and all drivers, in one trip", async () => {
		const waiting = await stranger({ approval_status: "pending" });
		const active = await ada.call("GET", "/api/drivers");
		expect(active.status).toBe(200);
		expect(active.headers.get("Content-Type")).toContain("application/json");
		expect(trips(active)).toBe("1");
		expect(json(active)).toContainEqual({ ...USER, id: idOf("dana"), driverId: "DRV-0001", approvedAt: expect.any(String) });
		expect(json(active).every((row: { isActive: boolean }) => row.isActive)).toBe(true);
		expect(json(await ada.call("GET", "/api/drivers?limit=2"))).toEqual(json(active).slice(0, 2));
		const all = json(await ada.call("GET", "/api/drivers/all"));
		expect(all).toHaveLength(json(active).length + all.filter((row: { isActive: boolean }) => !row.isActive).length);
		expect(all.map(({ id }: { id: string }) => id)).toContain(idOf("ivan"));
		const pending = json(await ada.call("GET", "/api/drivers/pending"));
		expect(pending).toEqual([{ ...USER, id: waiting, approvalStatus: "pending", driverId: null, approvedAt: null }]);
		await fleet.sql("update users set approval_status = 'rejected' where id = ?", waiting);
		expect((await ada.call("GET", "/api/drivers/pending")).text).toBe("[]");
	});

	it("streams a list longer than a page, every row once", async () => {
		await fleet.sql(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5100)
			insert into users (id, role, first_name, last_name, approval_status, is_active, created_at)
			select printf('20000000-0000-4000-8000-%012d', i), 'driver', 'Many', 'Crowd ' || (i / 3), 'approved', i % 2, 1 from n`,
		);
		const all = json(await ada.call("GET", "/api/drivers/all")).map(({ id }: { id: string }) => id);
		const [{ count }] = (await fleet.sql<{ count: number }>(
			"select count(*) as count from users where role = 'driver' and approval_status = 'approved' and deleted_at is null",
		)) as [{ count: number }];
		expect(count).toBeGreaterThan(5000);
		expect(all).toHaveLength(count);
		expect(new Set(all).size).toBe(count);
		const active = json(await ada.call("GET", "/api/drivers"));
		expect(active.length).toBeGreaterThan(2500);
		expect(new Set(active.map(({ id }: { id: string }) => id)).size).toBe(active.length);
		await fleet.sql("delete from users where first_name = 'Many'");
	});

	it("judges a limit only after the caller", async () => {
		for (const limit of ["0", "501", "-1", "1.5", "x", "", "1e2"]) {
			const answer = await ada.call("GET", `/api/drivers?limit=${limit}`);
			expect(answer.status, limit).toBe(400);
			expect(json(answer).message).toContain("limit");
			expect((await fleet.client().call("GET", `/api/drivers?limit=${limit}`)).status).toBe(401);
		}
	});

	it("creates a driver and an administrator with 201, and refuses what is wrong", async () => {
		const body = { email: "json@milepost.test", firstName: "Jason", lastName: "Call" };
		const made = await ada.call("POST", "/api/drivers", { ...body, role: "admin", isActive: false, driverId: "DRV-9999" });
		expect(made.status).toBe(201);
		expect(json(made)).toEqual({ ...USER, ...body, driverId: expect.stringMatching(/^DRV-\d{4}$/), approvedAt: expect.any(String) });
		expect(json(made).driverId).not.toBe("DRV-9999");
		const again = await ada.call("POST", "/api/admin/create", body);
		expect(again.status).toBe(409);
		expect(json(again)).toEqual({ message: "json@milepost.test already belongs to Jason Call." });
		const admin = await ada.call("POST", "/api/admin/create", { ...body, email: "json-admin@milepost.test" });
		expect(admin.status).toBe(201);
		expect(json(admin)).toMatchObject({ role: "admin", driverId: null, approvalStatus: "approved" });
		const invalid = await ada.call("POST", "/api/drivers", { email: "nope", lastName: "" });
		expect(invalid.status).toBe(400);
		expect(json(invalid)).toEqual({
			message: "Please enter an e-mail address such as name@example.com",
			fields: {
				email: ["Please enter an e-mail address such as name@example.com"],
				firstName: ["First name is required"],
				lastName: ["Last name is required"],
			},
		});
		expect((await ada.call("POST", "/api/drivers")).status).toBe(400);
		expect((await ada.call("POST", "/api/drivers", [])).status).toBe(400);
		expect((await ada.post("/api/drivers", body)).status).toBe(415);
	});

	it("approves, rejects, toggles and deletes, each with its status", async () => {
		const id = await stranger({ approval_status: "pending" });
		const put = (verb: string, client = ada) => client.call("PUT", `/api/drivers/${id}/${verb}`);
		const rejected = await put("reject");
		expect([rejected.status, json(rejected).approvalStatus, trips(rejected)]).toEqual([200, "rejected", "2"]);
		expect((await put("reject")).status).toBe(409);
		expect((await put("toggle")).status).toBe(409);
		const approved = await put("approve");
		expect([approved.status, json(approved).approvalStatus]).toEqual([200, "approved"]);
		expect(json(approved).driverId).toMatch(/^DRV-\d{4}$/);
		const lost = await put("approve");
		expect(lost.status).toBe(409);
		expect(json(lost).message).toMatch(/was already approved by Ada Admin on /);
		expect(json(await put("toggle")).isActive).toBe(false);
		expect(json(await put("toggle")).isActive).toBe(true);
		const gone = await ada.call("DELETE", `/api/drivers/${id}`);
		expect([gone.status, gone.text]).toEqual([204, ""]);
		expect((await ada.call("DELETE", `/api/drivers/${id}`)).status).toBe(409);
		expect((await put("approve", await fleet.as("dana"))).status).toBe(403);
		expect((await put("approve", fleet.client())).status).toBe(401);
	});

	it("answers an unknown and a malformed id alike", async () => {
		const bodies = new Set<string>();
		for (const id of [
			"99999999-9999-4999-8999-999999999999",
			"1",
			"%00",
			"%27%20or%201%3D1",
			"%F0%9F%92%A5",
			"a".repeat(2000),
			"%E0%A4%A",
		]) {
			for (const [method, path] of [
				["PUT", `/api/drivers/${id}/approve`],
				["PUT", `/api/drivers/${id}/reject`],
				["PUT", `/api/drivers/${id}/toggle`],
				["DELETE", `/api/drivers/${id}`],
			] as const) {
				const answer = await ada.call(method, path);
				expect(answer.status, `${method} ${path.slice(0, 60)}`).toBe(404);
				bodies.add(answer.text);
			}
		}
		expect([...bodies]).toEqual(['{"message":"There is no such person."}']);
	});

	it("tells who is signed in, in every standing", async () => {
		const cases = [
			["dana", "driver", "approved"],
			["nina", "driver", "pending"],
			["rex", "driver", "rejected"],
			["ben", "admin", "approved"],
		] as const;
		for (const [name, role, approvalStatus] of cases) {
			const answer = await (await fleet.as(name)).call("GET", "/api/auth/user");
			expect(answer.status).toBe(200);
			expect(trips(answer)).toBe("1");
			expect(json(answer)).toMatchObject({ id: idOf(name), role, approvalStatus, email: CAST[name].email });
			expect(Object.keys(json(answer)).sort()).toEqual(
				["approvalStatus", "approvedAt", "createdAt", "driverId", "email", "firstName", "id", "isActive", "lastName", "role"].sort(),
			);
		}
		const visitor = await fleet.client().call("GET", "/api/auth/user");
		expect([visitor.status, visitor.text]).toEqual([401, '{"message":"Unauthorized"}']);
	});

	it("completes the profile, which makes an application, until it is decided", async () => {
		const nina = await fleet.as("nina");
		expect((await nina.call("PUT", "/api/profile", { firstName: "Nina" })).status).toBe(400);
		const answer = await nina.call("PUT", "/api/profile", {
			firstName: " Nina ",
			lastName: "Nameless",
			role: "admin",
			approvalStatus: "approved",
		});
		expect(answer.status).toBe(200);
		expect(json(answer)).toMatchObject({ firstName: "Nina", lastName: "Nameless", role: "driver", approvalStatus: "pending" });
		expect((await ada.get("/drivers")).text).toContain("Nina Nameless");
		await ada.call("PUT", `/api/drivers/${idOf("nina")}/approve`);
		expect((await nina.call("PUT", "/api/profile", { firstName: "Other", lastName: "Name" })).status).toBe(403);
		const itself = await (await fleet.as("ben")).call("PUT", "/api/profile", { firstName: "Benjamin", lastName: "Backup" });
		expect([itself.status, json(itself).firstName]).toEqual([200, "Benjamin"]);
	});

	it("50 approvals at once through the Worker: one 200, the rest 409, one audit row", async () => {
		const id = await stranger({ approval_status: "pending" });
		const answers = await Promise.all(Array.from({ length: 50 }, () => ada.call("PUT", `/api/drivers/${id}/approve`)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
		expect(await fleet.sql("select id from audit_events where entity_id = ?", id)).toHaveLength(1);
	});
});
