import { eq, isNull, sql } from "drizzle-orm";
import { platformDrivers } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";

export type ForgetRefusal = Refused<"not-found">;

/**
 * Removes a remembered match of a platform's driver: the next statement asks again. Imported fees
 * stay.
 */
export async function forgetDriver(
	admin: AdminContext,
	id: string,
): Promise<Outcome<typeof platformDrivers.$inferSelect, ForgetRefusal>> {
	const { changed, rows } = await transition(admin, {
		table: platformDrivers,
		rows: eq(platformDrivers.id, id),
		when: isNull(platformDrivers.removedAt),
		set: { removedAt: admin.now },
		audit: {
			action: "alias.remove",
			entity: "platform-driver",
			before: sql`json_object('platform', platform, 'platformDriver', platform_id,
					'nameThere', name, 'driver', (select trim(first_name || ' ' || last_name) from users
						where users.id = driver_id), 'driverId', driver_id)`,
			after: sql`json_object('removedAt', ${admin.now})`,
		},
		read: (build) => build.select().from(platformDrivers).where(eq(platformDrivers.id, id)),
	});
	const [row] = rows;
	return row && changed.has(id) ? done(row) : refused("not-found");
}
