/** The URL parameters of the lists of charges: the API's, and a page of a driver's. */
import {
	cursors,
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { driverPath } from "../people/search.ts";

/** A charge's position in the list: latest day first, and within a day last added first. */
export const chargeCursors = cursors({ chargedOn: "date", createdAt: "number", id: "id" });
export type ChargeCursor = NonNullable<ReturnType<typeof chargeCursors.parse>>;

const NAMES: PositionNames = { after: "charges", before: "chargesBefore" };

/** The page of a driver's charges in a URL. */
export const parsePosition = (query: URLSearchParams) =>
	readPosition(query, chargeCursors.parse, NAMES);

/** A driver's page at a page of their charges, with the dialog about one of them if it is named. */
export function chargesUrl(
	driverId: string,
	position: Position<ChargeCursor> | undefined,
	removedId?: string,
): string {
	const query = new URLSearchParams();
	setPosition(query, position, chargeCursors.format, NAMES);
	if (removedId) {
		query.set("dialog", "remove-charge");
		query.set("id", removedId);
	}
	return `${driverPath(driverId)}${query.size > 0 ? `?${query}` : ""}`;
}
