/** Reads of charges. Every query is a statement; voided charges are left out. */
import { and, eq, isNull } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { charges } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { ListSource } from "../kernel/list.server.ts";
import type { Charge } from "./rules.ts";
import { type ChargeCursor, chargeCursors } from "./search.ts";

const isOf = (driverId: Owner | undefined) =>
	and(
		isNull(charges.voidedAt),
		driverId === undefined ? undefined : eq(charges.driverId, driverId),
	);

/**
 * Charges, latest day first, and within a day last added first.
 * @param driverId whose; absent for everyone's
 */
export function listCharges(
	build: Builder,
	driverId: Owner | undefined,
	limit: number,
	position?: Position<ChargeCursor>,
) {
	const { chargedOn, createdAt, id } = charges;
	const { way, cursor } = position ?? {};
	const place = way && cursor && { way, values: [cursor.chargedOn, cursor.createdAt, cursor.id] };
	const page = keyset([chargedOn, createdAt, id], "desc", place);
	return build
		.select()
		.from(charges)
		.where(and(isOf(driverId), page.past))
		.orderBy(page.order)
		.limit(limit);
}

/** A charge's position in the list. */
export const cursorOf = ({ chargedOn, createdAt, id }: Charge): ChargeCursor => ({
	chargedOn,
	createdAt,
	id,
});

/** The API's list, latest day first. */
export const chargeList = (driverId: string | undefined): ListSource<Charge, ChargeCursor> => ({
	cursors: chargeCursors,
	cursorOf,
	idOf: ({ id }) => id,
	rows: (build, _, limit, cursor) =>
		listCharges(build, driverId, limit, cursor && { way: "after", cursor }),
});

/** One charge by its id. */
export const findCharge = (build: Builder, id: string) =>
	build
		.select()
		.from(charges)
		.where(and(isOf(undefined), eq(charges.id, id)));
