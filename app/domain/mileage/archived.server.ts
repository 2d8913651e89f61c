/** Lists of entries that include closed years from the archive. */
import type { Builder, Results } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { type ClosedUntil, selectClosedUntil } from "../archive/closed-years.server.ts";
import { withArchived } from "../archive/read.server.ts";
import type { AuthenticatedContext, DriverContext } from "../kernel/context.ts";
import {
	isCursorOf,
	type ListAsk,
	type ListSource,
	readList,
	toListPage,
} from "../kernel/list.server.ts";
import { TRIP_CHANGES } from "./changes.server.ts";
import {
	archivedLogsWithIds,
	type DateRange,
	driverNumbersOf,
	findOwnEntry,
	type ListedLog,
	listArchivedLogs,
	listLogs,
	logsWithIds,
} from "./queries.server.ts";
import { type LogCursor, logCursors } from "./search.ts";

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
async function withArchivedLogs(
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
		return withDriverNumbers(reader, logs);
	});
}

/** One of the driver's own entries that only the archive has. */
export async function findArchivedEntry(
	{ archive, user }: DriverContext,
	[closed]: ClosedUntil,
	id: string,
) {
	if (!id || !closed?.closedTo) return undefined;
	const { found } = await archive.batch({ found: findOwnEntry(archive.build, user.id, id) });
	return found[0];
}

/** The API's list, as far as it is in the database. */
const tripList = (range: DateRange): ListSource<ListedLog, LogCursor> => ({
	cursors: logCursors,
	cursorOf: ({ log }) => log,
	idOf: ({ log }) => log.id,
	rows: (build, whose, limit, after) => listLogs(build, whose, range, limit, after),
	changes: {
		source: TRIP_CHANGES,
		rows: (build, ids) => logsWithIds(build, ids, range),
	},
});
/** Whether a text is a position in it, or among its changes. */
export const isTripCursor = isCursorOf(tripList({}));

/** The statements of a page of the API's list. */
export const readTrips = (ask: ListAsk, range: DateRange, build: Builder, whose?: Owner) => ({
	...readList(tripList(range), ask, build, whose),
	closed: selectClosedUntil(build),
});

/** The page, completed from the archive. */
export async function tripPage(
	reader: Reader,
	ask: ListAsk,
	{ whose, range }: Pick<Page, "whose" | "range">,
	answers: Results<ReturnType<typeof readTrips>>,
) {
	const { closed, ...found } = answers;
	const after = ask.after === undefined ? undefined : logCursors.parse(ask.after);
	const known = new Set(found.rows.map(({ log }) => log.id));
	const moved = found.places?.filter(({ id, row }) => row === 0 && !known.has(id)) ?? [];
	const rows =
		ask.since === undefined
			? await withArchivedLogs(reader, closed, found.rows, {
					...{ whose, range, limit: ask.size + 1 },
					...(after ? { after } : {}),
				})
			: [...found.rows, ...(await archivedLogs(reader, moved, { whose, range }))];
	return toListPage(tripList(range), ask, { ...found, rows });
}

/** Reads the page after a position. */
export const furtherTrips =
	(reader: Reader, ask: ListAsk, page: Pick<Page, "whose" | "range">) => async (after: string) => {
		const next = { ...ask, after };
		const answers = await reader.db.batch(readTrips(next, page.range, reader.db.build, page.whose));
		return tripPage(reader, next, page, answers);
	};

/** Entries of the archive by their ids. */
async function archivedLogs(
	reader: Reader,
	moved: readonly { readonly id: string }[],
	{ whose, range }: Pick<Page, "whose" | "range">,
): Promise<readonly ListedLog[]> {
	if (moved.length === 0) return [];
	const ids = JSON.stringify(moved.map(({ id }) => id));
	const { logs } = await reader.archive.batch({
		logs: archivedLogsWithIds(reader.archive.build, ids, whose, range),
	});
	return withDriverNumbers(reader, logs);
}

/** Entries of the archive with their drivers' codes, which it doesn't have. */
async function withDriverNumbers(
	{ db }: Reader,
	logs: Awaited<ReturnType<typeof listArchivedLogs>>,
): Promise<readonly ListedLog[]> {
	const ids = [...new Set(logs.map(({ driverId }) => driverId))];
	const { codes } = await db.batch({ codes: driverNumbersOf(db.build, ids) });
	const known = new Map(codes.map(({ id, driverNumber }) => [id, driverNumber]));
	return logs.map((log) => ({ log, driverNumber: known.get(log.driverId) ?? null }));
}
