/** Reading a state folder while a server that has it open writes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { openLocalPlace } from "../../tools/backup-place.ts";

const ROWS = 300_000;

/** Writes again after a read of the other process was in the way, as whoever uses the server does. */
async function writeUntilDone(statement: D1PreparedStatement): Promise<void> {
	for (let tries = 1; ; tries++) {
		const fault = await statement.run().then(
			() => undefined,
			(error: unknown) => error,
		);
		if (fault === undefined) return;
		if (tries === 100 || !/locked|internal error/.test(String(fault))) throw fault;
		await wait(20);
	}
}

it("waits for a write of another process instead of failing", async () => {
	const state = await mkdtemp(join(tmpdir(), "milepost-backup-place-"));
	const server = await openLocalPlace(state);
	await server.db.prepare("create table numbers (n integer primary key)").run();
	const backup = await openLocalPlace(state);
	try {
		const count = async () =>
			(await backup.db.prepare("select count(*) as n from numbers").all<{ n: number }>()).results[0]
				?.n;
		expect(await count()).toBe(0);
		let isWriting = true;
		const writing = writeUntilDone(
			server.db
				.prepare(
					`insert or ignore into numbers with recursive up(n) as (
						select 1 union all select n + 1 from up where n < ?) select n from up`,
				)
				.bind(ROWS),
		).finally(() => {
			isWriting = false;
		});
		writing.catch(() => undefined);
		const counted = new Set<number | undefined>();
		while (isWriting) counted.add(await count());
		await writing;
		counted.add(await count());
		expect([...counted].filter((n) => n !== 0)).toEqual([ROWS]);
	} finally {
		await Promise.all([server.close(), backup.close()]);
		await rm(state, { recursive: true, force: true });
	}
});
