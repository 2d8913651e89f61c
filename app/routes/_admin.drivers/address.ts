/** The screen's state as its address says it: which pages of the two long lists, which dialog, and about whom. */
import { isRowId } from "../../values/row-id.ts";

export type DriversAddress = {
	/** The last row of the page before, in each list. */
	readonly active?: string | undefined;
	readonly inactive?: string | undefined;
	readonly dialog?: DialogName | undefined;
	readonly id?: string | undefined;
};

const DIALOGS = ["add-driver", "create-admin", "delete", "deactivate", "rename"] as const;
export type DialogName = (typeof DIALOGS)[number];

/** The address asked for; what it cannot mean falls back to the plain screen. */
export function parseAddress(url: string): DriversAddress {
	const query = new URL(url).searchParams;
	const id = (name: string) => {
		const text = query.get(name) ?? "";
		return isRowId(text) ? text : undefined;
	};
	return {
		active: id("active"),
		inactive: id("inactive"),
		dialog: DIALOGS.find((name) => name === query.get("dialog")),
		id: id("id"),
	};
}

/** The address of the screen in a state. */
export function addressOf(state: DriversAddress): string {
	const query = new URLSearchParams();
	for (const name of ["active", "inactive", "dialog", "id"] as const) {
		const value = state[name];
		if (value) query.set(name, value);
	}
	const text = query.toString();
	return text ? `/drivers?${text}` : "/drivers";
}

/** The same pages of the lists, without a dialog. */
export function withoutDialog({ active, inactive }: DriversAddress): DriversAddress {
	return { active, inactive };
}
