/**
 * An unverified email may belong to another person, so administrators are warned and nothing is
 * sent to it.
 */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const CLAIMED = "someone.else@milepost.test";
await sql(
	"update users set email = null, unverified_email = ? where id in (?, ?, ?)",
	CLAIMED,
	idOf("nora"),
	idOf("omar"),
	idOf("rex"),
);
const rowOf = (text: string, id: string) =>
	new RegExp(`<(li|tr)[^>]* id="row-${id}"[\\s\\S]*?</\\1>`).exec(text)?.[0] ??
	expect.unreachable(id);
const mailsTo = (address: string) => sql("select kind from mails where address = ?", address);

describe("an unverified email", () => {
	it("is marked in every list of the drivers screen, and a verified one isn't", async () => {
		const { text } = await ada.get("/drivers");
		for (const name of ["nora", "omar", "rex"] as const) {
			const row = rowOf(text, idOf(name));
			expect(row, name).toContain(CLAIMED);
			expect(row, name).toContain("Unverified");
		}
		for (const name of ["dana", "ben"] as const)
			expect(rowOf(text, idOf(name)), name).not.toContain("Unverified");
	});

	it("gets no email about an application or a request", async () => {
		const request = await insertRequest(sql, 41, "omar");
		const other = await insertRequest(sql, 42, "dana");
		for (const id of [request, other])
			expect(
				(await ada.post("/fund-requests", { intent: "process", id, status: "approved" })).status,
			).toBe(303);
		expect((await ada.post("/drivers", { intent: "approve", id: idOf("nora") })).status).toBe(303);
		expect((await ada.call("PUT", `/api/drivers/${idOf("rex")}/approve`)).status).toBe(200);
		expect(await mailsTo(CLAIMED)).toEqual([]);
		expect(await mailsTo("dana@milepost.test")).toEqual([{ kind: "request-decided" }]);
	});

	it("gets emails if an administrator entered it, as invitations require", async () => {
		const made = await ada.call("POST", "/api/drivers", {
			email: "typed@milepost.test",
			firstName: "Ty",
			lastName: "Ped",
		});
		expect(made.status).toBe(201);
		expect(await mailsTo("typed@milepost.test")).toEqual([{ kind: "invitation" }]);
		expect(rowOf((await ada.get("/drivers")).text, JSON.parse(made.text).id)).not.toContain(
			"Unverified",
		);
	});

	it("is said to be invited, with a link to whom, on the page of whoever claims it", async () => {
		const made = await ada.call("POST", "/api/drivers", {
			email: CLAIMED,
			firstName: "Vera",
			lastName: "Vouched",
		});
		expect(made.status, made.text).toBe(201);
		const { id } = JSON.parse(made.text);
		const page = async (name: "nora" | "dana") =>
			(await ada.get(`/drivers/${idOf(name)}`)).text.replaceAll("&#x27;", "'");
		expect(await page("nora")).toContain(
			"The sign-in provider doesn't vouch for it, so the invitation wasn't accepted.",
		);
		expect(await page("nora")).toMatch(new RegExp(`href="/drivers/${id}"[^>]*>Vera Vouched<`));
		expect(await page("dana")).not.toContain("This email is invited as");
		await sql("update users set claimed_at = 1 where id = ?", id);
		expect(await page("nora")).not.toContain("This email is invited as");
	});
});
