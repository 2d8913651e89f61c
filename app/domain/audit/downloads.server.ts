/** What leaves Milepost as a file: who took what, written before the first byte is sent. */
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
	/** Whom the file is all about: the entry is then one about them. */
	readonly personId?: string;
	/** What was chosen: filters, dates, a format. What is undefined was not. */
	readonly chosen: Readonly<Record<string, string | number | undefined>>;
};

/**
 * Writes down a download.
 * @throws when it cannot be written: then nothing may be sent
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
