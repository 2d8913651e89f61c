/** Downloads: who took what, recorded before the first byte is sent. */
import { auditEvents } from "../../db/schema.ts";
import type { AuthenticatedContext } from "../context.ts";

export type Download = {
	readonly action:
		| "request.export"
		| "mileage.export"
		| "history.export"
		| "payout.export"
		| "payout.statement"
		| "statement.export"
		| "report.download"
		| "mileage-log.download"
		| "year-summary.download"
		| "person.export";
	readonly fileName: string;
	/** The person the whole file is about; the entry is then about them. */
	readonly personId?: string;
	/** What was chosen, such as filters, dates or a format; undefined for what wasn't. */
	readonly chosen: Readonly<Record<string, string | number | undefined>>;
};

/**
 * Records a download.
 * @throws when it can't be recorded; nothing may be sent then
 */
export async function recordDownload(
	{ db, user, role, sessionRef, requestId, now }: AuthenticatedContext,
	download: Download,
): Promise<void> {
	const { action, fileName, personId, chosen } = download;
	const thing =
		personId === undefined
			? { entity: "file", entityId: fileName, after: chosen }
			: { entity: "user", entityId: personId, after: { ...chosen, fileName } };
	await db.batch({
		audit: db.build.insert(auditEvents).values({
			at: now,
			actorId: user.id,
			actorRole: role,
			sessionRef,
			requestId,
			action,
			...thing,
			after: JSON.stringify(thing.after),
		}),
	});
}
