/** The API's list of every approved driver with their totals: active ones first, then by name. */
import type { Builder, Results } from "../../db/client.server.ts";
import type { Period } from "../../values/period.ts";
import { type ListAsk, toListPage } from "../kernel/list.server.ts";
import { nameCursorOf, nameCursors } from "../people/lists.server.ts";
import { type DriverTotals, selectTotalsPage } from "./queries.server.ts";

const LIST = { cursors: nameCursors, cursorOf: nameCursorOf, idOf: ({ id }: DriverTotals) => id };
type Ask = Pick<ListAsk, "size" | "after">;

/** The statements of a page: no index has the active ones first. */
export function readEfficiency(build: Builder, period: Period | undefined, ask: Ask) {
	const cursor = ask.after === undefined ? undefined : nameCursors.parse(ask.after);
	const after = cursor && { ...cursor, isActive: cursor.isActive === 1 };
	const page = (isActive: boolean) =>
		selectTotalsPage(build, period, {
			isActive,
			after: after?.isActive === isActive ? after : undefined,
			// One more than a page says whether there is another.
			size: ask.size + 1,
		});
	return { active: after?.isActive === false ? undefined : page(true), inactive: page(false) };
}

/** The page, and the position of the next one. */
export const efficiencyPage = (
	{ size }: Ask,
	{ active, inactive }: Pick<Results<ReturnType<typeof readEfficiency>>, "active" | "inactive">,
) =>
	toListPage(
		LIST,
		{ limit: undefined, size, after: undefined, since: undefined },
		{ rows: [...active, ...inactive], places: [], reach: [] },
	);
