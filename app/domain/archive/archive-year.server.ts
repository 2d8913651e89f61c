/** Archives a closed year, driver by driver. */
import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { OperatorContext } from "../kernel/context.ts";
import { finishYear } from "./commands/close-year.server.ts";
import { type MovedPage, moveEntries } from "./commands/move-entries.server.ts";
import { lastDayOf } from "./rules.ts";
import { prepareStore } from "./store.server.ts";

/** People read per trip. */
const PEOPLE = 200;
/** A page found this many times without being moved is a fault. */
const MAX_TRIES = 5;

/** Why a run ended: everything is moved, or the nightly export has to finish first. */
export type ArchiveRun = { readonly isFinished: boolean; readonly moved: number };

/**
 * Moves the remaining entries of a closed year.
 * @param onMoved called after each page
 */
export async function archiveYear(
	operator: OperatorContext,
	archive: Database,
	year: number,
	onMoved: (moved: number) => void = () => undefined,
): Promise<ArchiveRun> {
	const { db } = operator;
	await prepareStore(archive);
	let moved = 0;
	for (let after = ""; ; ) {
		const { people } = await db.batch({ people: peopleAfter(db.build, after, lastDayOf(year)) });
		for (const { id } of people)
			for (let tries = 0; ; ) {
				const page: MovedPage = await moveEntries(operator, archive, id, lastDayOf(year));
				if (page.found === 0) break;
				if (page.isExporting) return { isFinished: false, moved };
				tries = page.moved === 0 ? tries + 1 : 0;
				if (tries === MAX_TRIES) throw new Error(`entries of ${id} keep changing`);
				moved += page.moved;
				onMoved(page.moved);
			}
		const last = people.at(-1);
		if (!last) break;
		after = last.id;
	}
	return { isFinished: true, moved: await finishYear(operator, year) };
}

const peopleAfter = (build: Builder, after: string, closedTo: CalendarDate) =>
	build.all<{ id: string }>(sql`select id from users
		where id > ${after} and exists (select 1 from mileage_logs
			where driver_id = users.id and driven_on <= ${closedTo})
		order by id limit ${PEOPLE}`);
