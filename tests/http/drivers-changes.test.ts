/**
 * Changes on the Driver Management screen without JavaScript, and what the affected person then
 * sees (docs/product.md §2, §8).
 */
import { describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { insertDriver, sectionOf, textOf } from "../support/drivers.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const rowOf = async (id: string) => (await fleet.sql("select * from users where id = ?", id))[0];
const act = (intent: string, id: string, client = ada) => client.post("/drivers", { intent, id });
/** Posts a form that must succeed, and returns the page it leads to. */
async function actAndFollow(intent: string, id: string): Promise<Answer> {
	const answer = await act(intent, id);
	expect(answer.status, textOf(answer.text).slice(0, 400)).toBe(303);
	expect(answer.headers.get("Location")).toBe(`/drivers#row-${id}`);
	expect(costOf(answer).trips).toBe(2);
	return ada.get("/drivers");
}

describe("the Driver Management screen", () => {
	it("approves with a toast, and the driver gets an ID and the portal", async () => {
		const nora = await fleet.as("nora");
		expect((await nora.get("/")).text).toContain("Application Under Review");
		const page = await actAndFollow("approve", idOf("nora"));
		expect(page.text).toContain("Driver Approved");
		expect(page.text).toContain("Driver has been successfully approved and assigned a driver ID");
		expect(textOf(sectionOf(page, "Active Drivers"))).toContain("DRV-0006 Nora Newcomer");
		expect(sectionOf(page, "Pending Approvals")).toContain("No pending driver applications");
		expect((await nora.get("/")).text).toContain("Driver Dashboard");
	});

	it("tells the second administrator who was first", async () => {
		await actAndFollow("approve", idOf("nora"));
		for (const intent of ["approve", "reject"]) {
			const answer = await act(intent, idOf("nora"), await fleet.as("ben"));
			expect(answer.status).toBe(409);
			expect(textOf(answer.text)).toMatch(
				/Nora Newcomer was already approved by Ada Admin on [A-Z][a-z]{2} \d{1,2}, \d{4}\./,
			);
			expect(answer.text).toContain(
				intent === "approve" ? "Failed to approve driver. Please try again." : "Rejection Failed",
			);
			expect(answer.text).toContain(">Driver Management</h1>");
		}
	});

	it("rejects, shows the driver the gate, and can still approve", async () => {
		const id = await insertDriver(sql, { approval_status: "pending", first_name: "Slip" });
		expect(textOf((await actAndFollow("reject", id)).text)).toContain(
			"Driver Rejected Driver application has been rejected",
		);
		const page = await actAndFollow("approve", id);
		expect(textOf(sectionOf(page, "Active Drivers"))).toContain("DRV-0006 Slip");
	});

	it("leaves a rejection alone that the second administrator hasn't seen", async () => {
		const id = await insertDriver(sql, { approval_status: "pending", first_name: "Slip" });
		const ben = await fleet.as("ben");
		const approveForm = async () =>
			formsIn((await ben.get("/drivers")).text).find(
				({ fields }) => fields.intent === "approve" && fields.id === id,
			)?.fields ?? {};
		const stale = await approveForm();
		await actAndFollow("reject", id);
		const late = await ben.post("/drivers", stale);
		expect(late.status).toBe(409);
		expect(textOf(late.text)).toMatch(/Slip \w+ was already rejected by Ada Admin\./);
		expect(await rowOf(id)).toMatchObject({ approval_status: "rejected", driver_number: null });
		expect((await ben.post("/drivers", await approveForm())).status).toBe(303);
	});

	it("deletes: every session ends at once, the landing screen says why, and Activate restores access", async () => {
		const omar = await fleet.as("omar");
		expect((await omar.get("/")).text).toContain("Driver Dashboard");
		const page = await actAndFollow("delete", idOf("omar"));
		expect(textOf(page.text)).toContain("Driver Deleted Omar Okafor has been deactivated.");
		expect(sectionOf(page, "Inactive Drivers")).toContain("Omar Okafor");
		const notice = "Your account has been deactivated. Contact your fleet administrator.";
		const landing = await omar.get("/");
		expect(landing.status).toBe(200);
		expect(landing.text).toContain(notice);
		expect(landing.text).not.toContain("Driver Dashboard");
		expect((await omar.get("/api/auth/user")).status).toBe(401);
		expect((await fleet.client().post("/api/login", { email: CAST.omar.email })).text).toContain(
			notice,
		);
		expect((await act("delete", idOf("omar"))).text).toContain("Omar Okafor is already inactive.");
		const back = await actAndFollow("activate", idOf("omar"));
		expect(textOf(back.text)).toContain("Driver Status Updated Omar Okafor has been activated.");
		expect((await omar.get("/")).text).not.toContain("Driver Dashboard");
		expect((await (await fleet.as("omar")).get("/")).text).toContain("Driver Dashboard");
	});

	it("deactivates an administrator, but never your own account", async () => {
		const ben = await fleet.as("ben");
		const self = await act("deactivate", idOf("ada"));
		expect(self.status).toBe(409);
		expect(textOf(self.text)).toContain(
			"Status Update Failed You can't deactivate your own account",
		);
		expect(textOf((await actAndFollow("deactivate", idOf("ben"))).text)).toContain(
			"Administrator Deactivated Ben Backup has been deactivated.",
		);
		expect((await ben.get("/drivers")).status).toBe(401);
		// Ada is now the last active administrator.
		expect((await act("deactivate", idOf("ada"))).status).toBe(409);
		expect((await ada.call("DELETE", `/api/drivers/${idOf("ada")}`)).status).toBe(409);
		expect((await ada.call("PUT", `/api/drivers/${idOf("ada")}/toggle`)).status).toBe(409);
		expect(await rowOf(idOf("ada"))).toMatchObject({ is_active: 1 });
		expect(textOf((await actAndFollow("activate", idOf("ben"))).text)).toContain(
			"Administrator Activated",
		);
	});

	it("adds a driver, who claims the invitation with the first sign-in", async () => {
		const fields = {
			intent: "add-driver",
			email: " New.Hand@Milepost.test ",
			firstName: "New",
			lastName: "Hand",
		};
		const answer = await ada.post("/drivers?dialog=add-driver", fields);
		expect(answer.status).toBe(303);
		expect(costOf(answer).trips).toBe(2);
		expect(answer.headers.get("Location")).toMatch(/^\/drivers#row-[0-9a-f-]{36}$/);
		const page = await ada.get("/drivers");
		expect(textOf(page.text)).toContain(
			"Driver Created New driver has been successfully created and approved",
		);
		expect(textOf(sectionOf(page, "Active Drivers"))).toMatch(
			/DRV-0006 New Hand new\.hand@milepost\.test .* Invited/,
		);
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
		expect(textOf(page.text)).toContain(
			"Admin Created Chris Chief has been invited as an administrator.",
		);
		expect(textOf(sectionOf(page, "Administrators"))).toMatch(
			/Chris Chief chief@milepost\.test Invited expires .* Send again Chris Chief Cancel Chris Chief/,
		);
		expect((await (await fleet.client().signIn("chief@milepost.test")).get("/")).text).toContain(
			"Fleet Overview",
		);
	});

	it("creates one person however often a form is sent, and a second one only from a new form", async () => {
		const keyOf = (html: string) => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? "";
		const key = keyOf((await ada.get("/drivers?dialog=add-driver")).text);
		const fields = {
			intent: "add-driver",
			key,
			email: "sent.twice@milepost.test",
			firstName: "Sent",
			lastName: "Twice",
		};
		const answers = await Promise.all(
			[1, 2].map(() => ada.post("/drivers?dialog=add-driver", fields)),
		);
		expect(answers.map(({ status }) => status)).toEqual([303, 303]);
		expect(answers[0]?.headers.get("Location")).toBe(answers[1]?.headers.get("Location"));
		const other = await ada.post("/drivers?dialog=add-driver", {
			...fields,
			email: "next.one@milepost.test",
			firstName: "Next",
		});
		expect(other.status).toBe(422);
		expect(textOf(other.text)).toContain("already submitted this form with different values.");
		expect(other.text).toMatch(/name="firstName"[^>]*value="Next"/);
		expect(keyOf(other.text)).not.toBe(key);
		const sent = await ada.post("/drivers?dialog=add-driver", {
			...fields,
			key: keyOf(other.text),
			email: "next.one@milepost.test",
			firstName: "Next",
		});
		expect(sent.status).toBe(303);
		expect(
			await fleet.sql("select email from users where last_name = 'Twice' order by created_at"),
		).toEqual([{ email: "sent.twice@milepost.test" }, { email: "next.one@milepost.test" }]);
	});

	it("keeps the dialog open with what was typed when it is refused", async () => {
		const invalid = await ada.post("/drivers?dialog=add-driver", {
			intent: "add-driver",
			email: "not an address",
			firstName: "Kept",
			lastName: " ",
		});
		expect(invalid.status).toBe(400);
		expect(invalid.text).toContain('class="sheet');
		expect(invalid.text).toContain("Enter an email address, such as name@example.com");
		expect(invalid.text).toContain("Last name is required");
		expect(invalid.text).toMatch(/name="email"[^>]*value="not an address"/);
		expect(invalid.text).toMatch(/name="firstName"[^>]*value="Kept"/);
		const empty = await ada.post("/drivers?dialog=create-admin", {
			intent: "create-admin",
			email: "",
			firstName: "",
			lastName: "",
		});
		expect(empty.status).toBe(400);
		for (const words of ["Email is required", "First name is required", "Last name is required"])
			expect(empty.text).toContain(words);
		const before = await rowOf(idOf("dana"));
		for (const [intent, sentence] of [
			["add-driver", "Failed to create driver. Please try again."],
			["create-admin", "Failed to create admin user. Please try again."],
		] as const) {
			const taken = await ada.post(`/drivers?dialog=${intent}`, {
				intent,
				email: CAST.dana.email,
				firstName: "Kept",
				lastName: "Too",
			});
			expect(taken.status).toBe(409);
			expect(textOf(taken.text)).toContain(`Creation Failed ${sentence}`);
			expect(taken.text).toContain("dana@milepost.test already belongs to Dana Driver.");
			expect(taken.text).toMatch(new RegExp(`href="/drivers/${idOf("dana")}">Open Dana Driver<`));
			expect(taken.text).toContain('class="sheet');
			expect(taken.text).toMatch(/name="lastName"[^>]*value="Too"/);
		}
		expect(await rowOf(idOf("dana"))).toEqual(before);
	});

	it("says that a driver has an applicant's name", async () => {
		const apply = (firstName: string, lastName: string, at: number | null) =>
			fleet.sql(
				"update users set first_name = ?, last_name = ?, applied_at = ? where id = ?",
				firstName,
				lastName,
				at,
				idOf("nina"),
			);
		const shown = async () => (await ada.get("/drivers")).text;
		await apply("Nina", "Newcomer", 1);
		expect(await shown()).not.toContain("A driver has the same name");
		await apply("DANA", "Driver", 1);
		expect(await shown()).toMatch(
			new RegExp(`href="/drivers/${idOf("dana")}"[^>]*>A driver has the same name<`),
		);
	});

	it("resends an invitation and cancels it", async () => {
		await fleet.sql("update users set invite_expires_at = 1 where id = ?", idOf("ines"));
		expect(textOf(sectionOf(await ada.get("/drivers"), "Active Drivers"))).toMatch(
			/Inès Invited [^@]*@milepost\.test [^@]* Invited expired/,
		);
		expect(textOf((await actAndFollow("renew", idOf("ines"))).text)).toContain(
			"Invitation Sent Inès Invited has a new invitation.",
		);
		const page = await actAndFollow("cancel", idOf("ines"));
		expect(textOf(page.text)).toContain("Invitation Canceled");
		const person = textOf((await ada.get(`/drivers/${idOf("ines")}`)).text);
		expect(person).toContain("Invitation canceled");
		expect(person).not.toMatch(/Expires|Expired/);
		expect(sectionOf(page, "Active Drivers")).not.toContain("Inès");
		expect(sectionOf(page, "Inactive Drivers")).not.toContain("Inès");
		expect((await (await fleet.client().signIn(CAST.ines.email)).get("/")).text).toContain(
			"Complete Your Profile",
		);
	});

	it("corrects a name as one line, and keeps the dialog open when a part is missing", async () => {
		const empty = await ada.post(`/drivers?dialog=rename&id=${idOf("lena")}`, {
			intent: "rename",
			id: idOf("lena"),
			firstName: "",
			lastName: "Kept",
		});
		expect(empty.status).toBe(400);
		expect(empty.text).toContain("First name is required");
		const { fields } = formWith(empty.text, "Save");
		expect(fields).toMatchObject({ firstName: "", lastName: "Kept" });
		for (const [firstName, words] of [
			["Lena\nMaria", "Use one line without tabs"],
			["Lena https://evil.example/login", "Leave the link out of the name"],
			["Lena (DRV-0001)", "Leave the driver ID out of the name"],
			["\u3164", "First name is required"],
			["Le\u00adna", "Remove the invisible characters from this text"],
		] as const) {
			const refused = await ada.post(`/drivers?dialog=rename&id=${idOf("lena")}`, {
				intent: "rename",
				id: idOf("lena"),
				firstName,
				lastName: "Nguyen",
			});
			expect(refused.status).toBe(400);
			expect(refused.text).toContain(words);
		}
		const page = await ada.postAndFollow(`/drivers?dialog=rename&id=${idOf("lena")}`, {
			intent: "rename",
			id: idOf("lena"),
			firstName: "Lena \u00a0 Maria",
			lastName: "Nguyen",
		});
		expect(textOf(page.text)).toContain(
			"Name Corrected The driver's name is now Lena Maria Nguyen.",
		);
		expect(page.text).not.toContain('class="sheet');
	});

	it("corrects no name that somebody else has corrected meanwhile, until it was shown", async () => {
		const dialog = `/drivers?dialog=rename&id=${idOf("omar")}`;
		const opened = formWith((await ada.get(dialog)).text, "Save");
		const other = { ...opened.fields, firstName: "Omer" };
		expect((await ada.post(opened.action, other)).status).toBe(303);
		const stale = { ...opened.fields, lastName: "Haddad" };
		const refused = await ada.post(opened.action, stale);
		expect(refused.status).toBe(409);
		expect(textOf(refused.text)).toContain(
			"Someone has corrected this name to Omer Okafor since you opened the form. Nothing was changed.",
		);
		const again = formWith(refused.text, "Save");
		expect(again.fields).toMatchObject({ firstName: "Omar", lastName: "Haddad" });
		// The same correction twice is none.
		expect((await ada.post(opened.action, other)).status).toBe(303);
		expect((await ada.post(again.action, again.fields)).status).toBe(303);
		expect(
			await fleet.sql("select first_name, last_name from users where id = ?", idOf("omar")),
		).toEqual([{ first_name: "Omar", last_name: "Haddad" }]);
	});

	it("answers 404 for any unknown id, and 400 for an unknown intent", async () => {
		for (const intent of [
			"approve",
			"reject",
			"delete",
			"activate",
			"deactivate",
			"renew",
			"cancel",
		]) {
			for (const id of ["99999999-9999-4999-8999-999999999999", "", "1' or '1'='1", "💥"]) {
				const answer = await act(intent, id);
				expect(answer.status).toBe(404);
				expect(answer.text).toContain("Person not found.");
			}
		}
		for (const intent of ["", "constructor", "toString", "promote"])
			expect((await act(intent, idOf("dana"))).status).toBe(400);
	});

	it("paginates the active drivers without duplicates, and returns to the same page after a change", async () => {
		const ids = await Promise.all(
			Array.from({ length: 115 }, () =>
				insertDriver(sql, { last_name: "Same", first_name: "Name" }),
			),
		);
		const seen: string[] = [];
		let next: string | undefined = "/drivers";
		let pages = 0;
		let second = "";
		for (; next; pages++) {
			const page: Answer = await ada.get(next);
			expect(costOf(page).trips).toBe(1);
			const section = sectionOf(page, "Active Drivers");
			const rows = [...section.matchAll(/<tr id="row-([^"]+)"/g)].map(([, id]) => id ?? "");
			expect(rows.length).toBeLessThanOrEqual(50);
			seen.push(...rows);
			if (pages === 1) second = next;
			next = /<a [^>]*href="([^"]+)"[^>]*>Next page<\/a>/
				.exec(section)?.[1]
				?.replaceAll("&amp;", "&");
		}
		expect(pages).toBe(3);
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen).toEqual(expect.arrayContaining(ids));
		const answer = await ada.post(second, { intent: "delete", id: ids[0] ?? "" });
		expect(answer.headers.get("Location")).toBe(`${second.replace("#active", "")}#row-${ids[0]}`);
		expect((await ada.get("/drivers?active=nonsense")).text).toContain("Dana Driver");
	});

	it("shows the 50 oldest applications and counts the rest", async () => {
		await Promise.all(
			// Nora waits too.
			Array.from({ length: 52 }, () =>
				insertDriver(sql, { approval_status: "pending", last_name: "Waiting" }),
			),
		);
		const page = await ada.get("/drivers");
		expect(page.text).toContain("53 pending applications");
		const section = sectionOf(page, "Pending Approvals");
		expect(section.match(/<li /g)).toHaveLength(50);
		expect(textOf(section)).toContain("3 more will appear");
	});
});
