/** People who may not see or change the victim's rows: other people, and people whose session ended. */
import { idOf } from "../../../tests/support/cast.ts";
import type { Client } from "../../../tests/support/worker.ts";
import type { RowFactory } from "../races/subjects.ts";

export type Intruder = { readonly name: string; readonly client: Client; readonly id: string };

/** One of each kind, all of them new. */
export async function createIntruders(factory: RowFactory): Promise<Intruder[]> {
	const { sql, fleet } = factory;
	/** A person whose row or session is changed after they have signed in. */
	const afterSignIn = async (
		name: string,
		change: string,
		more: Record<string, string> = {},
	): Promise<Intruder> => {
		const { id, driver } = await factory.driver(more);
		if (change !== "") await sql(change, id);
		return { name, client: driver, id };
	};
	const administrator = { role: "admin" };

	const signedOut = await afterSignIn("somebody who signed out", "");
	const cookies = [...signedOut.client.cookies];
	await signedOut.client.post("/api/logout", {});
	for (const [name, value] of cookies) signedOut.client.cookies.set(name, value);

	const reader = fleet.client();
	const [live] = await fleet.sql<{ hash: string }>(
		"select token_hash as hash from sessions where ended_at is null limit 1",
	);
	reader.cookies.set("sid", live?.hash ?? "");

	return [
		await afterSignIn("another driver", ""),
		await afterSignIn("an applicant", "", { approval_status: "pending" }),
		await afterSignIn("a rejected applicant", "", { approval_status: "rejected" }),
		await afterSignIn("a deactivated driver", "update users set is_active = 0 where id = ?"),
		await afterSignIn(
			"a former administrator",
			"update users set role = 'driver' where id = ?",
			administrator,
		),
		await afterSignIn(
			"a deactivated administrator",
			"update users set is_active = 0 where id = ?",
			administrator,
		),
		await afterSignIn("an expired session", "update sessions set expires_at = 1 where user_id = ?"),
		signedOut,
		{ name: "a reader of the sessions table", client: reader, id: idOf("omar") },
		{ name: "a visitor", client: fleet.client(), id: idOf("omar") },
	];
}
