/** Addresses that email didn't reach, remembered until one arrives. */
import { desc, eq, gt, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { prepared } from "../../db/prepared.server.ts";
import { bounces, mails } from "../../db/schema.ts";
import type { MailEvent } from "./events.ts";

/** Remembers that mail did not reach an address. */
export function recordBounce(build: Builder, address: string, reason: string, at: number) {
	return build
		.insert(bounces)
		.values({ address, reason, at })
		.onConflictDoUpdate({ target: bounces.address, set: { reason, at } });
}

/** Mail reaches the address again. */
export function forgetBounce(build: Builder, address: string) {
	return build.delete(bounces).where(eq(bounces.address, address));
}

/** Bounces that a list of people is shown with, the latest. */
const MAX_SHOWN = 200;

/** Addresses that mail did not reach, and why. */
export const selectBounces = prepared((build) =>
	build.select().from(bounces).where(gt(bounces.at, 0)).orderBy(desc(bounces.at)).limit(MAX_SHOWN),
);

/**
 * Records a provider's event about a message. An event without an id of ours changes nothing, and
 * neither does a repeated one.
 */
export async function recordMailEvent(
	db: Database,
	{ providerId, kind, reason, at }: MailEvent,
): Promise<void> {
	const { build } = db;
	const named = sql`from mails where provider_id = ${providerId}`;
	if (kind === "delivered") {
		await db.batch({
			reached: build.run(
				sql`delete from bounces where address in (select address ${named}) and at <= ${at}`,
			),
		});
		return;
	}
	await db.batch({
		bounce: build.run(sql`
			insert into bounces (address, reason, at) select address, ${reason}, ${at} ${named} limit 1
			on conflict (address) do update set reason = excluded.reason, at = excluded.at
				where excluded.at >= bounces.at`),
		mail: build
			.update(mails)
			.set({ bouncedAt: at, lastError: reason })
			.where(sql`${mails.providerId} = ${providerId} and ${mails.bouncedAt} is null`),
	});
}
