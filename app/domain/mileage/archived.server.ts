/** Lists of entries that include closed years from the archive. */
import { type ClosedUntil, selectClosedUntil } from "../archive/closed-years.server.ts";
import { withArchived } from "../archive/read.server.ts";
import type { AuthenticatedContext } from "../kernel/context.ts";
import {
	type DateRange,
	driverNumbersOf,
	type ListedLog,
	listArchivedLogs,
	listLogs,
} from "./queries.server.ts";
import type { LogCursor } from "./search.ts";

type Reader = Pick<AuthenticatedContext, "db" | "archive">;
/** A page of `listLogs`. */
type Page = {
	/** A driver's id; absent for the whole fleet. */
	readonly whose: string | undefined;
	readonly range: DateRange;
	readonly limit: number;
	readonly after?: LogCursor;
};

/** Completes a page of logs from the archive. */
export async function withArchivedLogs(
	reader: Reader,
	closed: ClosedUntil,
	rows: readonly ListedLog[],
	{ whose, range, limit, after }: Page,
): Promise<readonly ListedLog[]> {
	const page = {
		rows,
		limit,
		from: range.from,
		isDescending: true,
		// The fleet's list isn't sorted by readings.
		placeOf: ({ log }: ListedLog) =>
			whose === undefined ? { id: log.id, drivenOn: log.drivenOn } : log,
	};
	return withArchived(reader, closed, page, async (archive) => {
		const { logs } = await archive.batch({
			logs: listArchivedLogs(archive.build, whose, range, limit, after),
		});
		const ids = [...new Set(logs.map(({ driverId }) => driverId))];
		const { codes } = await reader.db.batch({ codes: driverNumbersOf(archive.build, ids) });
		const known = new Map(codes.map(({ id, driverNumber }) => [id, driverNumber]));
		return logs.map((log) => ({ log, driverNumber: known.get(log.driverId) ?? null }));
	});
}

/** The next page of logs, after one of them. */
export async function nextLogs(reader: Reader, page: Page): Promise<readonly ListedLog[]> {
	const { build } = reader.db;
	const { logs, closed } = await reader.db.batch({
		logs: listLogs(build, page.whose, page.range, page.limit, page.after),
		closed: selectClosedUntil(build),
	});
	return withArchivedLogs(reader, closed, logs, page);
}
