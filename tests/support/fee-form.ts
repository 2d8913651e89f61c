/** The form for adding a fee, and the current fees. */
import { idOf } from "./cast.ts";
import { formWith } from "./forms.ts";
import type { Client, Fleet } from "./worker.ts";

export const BUTTON = "Add Uber Fee";

/** @param ada the administrator who opens the form */
export function feeForm(fleet: Fleet, ada: Client) {
	/** The form as rendered, with some fields changed. */
	async function fill(typed: Record<string, string> = {}): Promise<Record<string, string>> {
		const { fields } = formWith((await ada.get("/uber-fees")).text, BUTTON);
		return {
			...fields,
			driverId: idOf("dana"),
			category: "service_fee",
			amount: "12.50",
			...typed,
		};
	}
	const live = () =>
		fleet.sql<{ id: string; amount_cents: number }>(
			"select * from uber_fees where deleted_at is null order by created_at",
		);

	/** Deletes all fees. Replacements go first, since they refer to what they replaced. */
	async function clear(): Promise<void> {
		await fleet.sql("delete from uber_fees where replaces_id is not null");
		await fleet.sql("delete from uber_fees");
	}
	return { fill, live, clear };
}
