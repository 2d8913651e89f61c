/** Email addresses that mail couldn't be delivered to, remembered until it can. */
import { eq, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { bounces, mails } from "../../db/schema.ts";
import type { MailEvent } from "./events.ts";

/** Remembers a failed delivery to an email address. */
export function recordBounce(build: Builder, address: string, reason: string, at: number) {
	return build
		.insert(bounces)
		.values({ address, reason, at })
		.onConflictDoUpdate({ target: bounces.address, set: { reason, at } });
}

/** Forgets it after a successful one. */
export function forgetBounce(build: Builder, address: string) {
	return build.delete(bounces).where(eq(bounces.address, address));
}

/** Why mail to a person couldn't be delivered; no row if it could. */
export const selectBounceOf = (build: Builder, userId: string) =>
	build
		.select()
		.from(bounces)
		.where(sql`${bounces.address} = (select email from users where users.id = ${userId})`);

/** Records a provider's event about a message. Unknown ids and repeated events change nothing. */
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
