import { describe, expect, it } from "vitest";
import { openDatabase } from "../../tests/support/database.ts";
import { Database } from "../db/client.server.ts";
import { countApplications, listPendingDrivers } from "../domain/people/queries.server.ts";
import { signIn } from "./sign-in.server.ts";

const bench = await openDatabase("everyone", 1_000_000);
const db = new Database(bench.batches);

async function arrive(subject: string, firstName?: string, lastName?: string) {
	const identity = {
		issuer: "https://issuer.example",
		subject,
		email: `${subject}@fleet.example`,
		isEmailProved: true,
		firstName,
		lastName,
	};
	const outcome = await signIn(db, identity, { now: 2_000_000, requestId: "test" });
	if (!outcome.ok) throw new Error(outcome.reason);
	return outcome.value.user;
}
const noticesAbout = (id: string) =>
	bench.rows<{ subject: string }>(
		"select subject from notices where id = ?",
		`new-application:${id}`,
	);

describe("a first sign-in", () => {
	it("with a complete name is an application: listed, counted and in the administrators' digest", async () => {
		const before = (await db.batch({ n: countApplications({}) })).n[0]?.count ?? 0;
		const user = await arrive("whole", "  Wanda\n", "Whole");
		expect(user).toMatchObject({
			firstName: "Wanda",
			lastName: "Whole",
			approvalStatus: "pending",
			appliedAt: 2_000_000,
		});
		const { pending, n } = await db.batch({
			pending: listPendingDrivers(db.build, 50),
			n: countApplications({}),
		});
		expect(pending.map(({ id }) => id)).toContain(user.id);
		expect(n[0]?.count).toBe(before + 1);
		expect(await noticesAbout(user.id)).toEqual([
			{ subject: "New driver application: Wanda Whole" },
		]);
	});

	it.each([
		["half", "Hal", undefined],
		["none", undefined, undefined],
		["long", "L".repeat(81), "Ong"],
		["controls", "Con\u0000trol", "Lee"],
	])(
		"with an incomplete name (%s) isn't an application yet",
		async (subject, firstName, lastName) => {
			const user = await arrive(subject, firstName, lastName);
			expect(user.appliedAt).toBeNull();
			expect(user.firstName && user.lastName).toBe("");
			expect(await noticesAbout(user.id)).toEqual([]);
		},
	);
});
