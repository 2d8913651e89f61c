/** The audit's seals: what breaks them, and what doesn't. */
import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { erasedText, type SealedEntry } from "./digest.ts";
import { checkSeals, sealAudit } from "./seal.server.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 17);
const ZONE = "America/New_York";
const bench = await openDatabase("everyone", NOW);
const db = new Database(bench.batches);
let day = 0;

/** Seals everything, as one night's runs do. */
async function sealAll() {
	day += 1;
	for (let minute = 0; minute < 30; minute++) {
		const sealed = await sealAudit(
			{ role: "system", db, now: NOW + day * DAY + minute * 60_000 },
			ZONE,
		);
		if (sealed) return sealed;
	}
	throw new Error("the sealing doesn't end");
}

const addEntries = (count: number) =>
	bench.rows(
		`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id, before, after, reason)
		select ?, ?, 'admin', 'user.rename', 'user', ?, '{"name":"Dana"}', json_object('name', value), 'typo'
		from json_each(?)`,
		NOW,
		idOf("ada"),
		idOf("dana"),
		JSON.stringify(Array.from({ length: count }, (_, position) => `Name ${position}`)),
	);
const check = () => checkSeals(db);

/** The audit after tampering by someone with full access to the database. */
async function tamper(query: string, ...values: unknown[]) {
	const triggers = await bench.rows<{ name: string; sql: string }>(
		"select name, sql from sqlite_master where type = 'trigger' and tbl_name in ('audit_events', 'audit_seals')",
	);
	for (const { name } of triggers) await bench.rows(`drop trigger ${name}`);
	await bench.rows(query, ...values);
	for (const { sql } of triggers) await bench.rows(sql);
}

await addEntries(1300);
const first = await sealAll();

describe("sealed entries", () => {
	it("are intact under any number of seals, and those of later days follow", async () => {
		expect(first.entries).toBeGreaterThanOrEqual(1300);
		expect(await check()).toEqual({ kind: "sound", entries: first.entries, hash: first.hash });
		await addEntries(3);
		expect(await check()).toMatchObject({ kind: "sound", entries: first.entries });
		const second = await sealAll();
		expect(second.entries).toBe(3);
		expect(second.hash).not.toBe(first.hash);
		const quiet = await sealAll();
		expect(quiet).toEqual({ ...second, entries: 0 });
		expect(await check()).toEqual({
			kind: "sound",
			entries: first.entries + 3,
			hash: second.hash,
		});
	});

	it("can't have their seals changed by the application", async () => {
		for (const query of [
			"update audit_seals set hash = hash",
			"delete from audit_seals",
			"insert or replace into audit_seals select * from audit_seals limit 1",
		])
			await expect(bench.rows(query), query).rejects.toThrow("append-only");
	});

	it("keep their seal when a text is replaced by its digest and its salt deleted", async () => {
		const [entry] = await bench.rows<SealedEntry>(
			`select id, at, actor_id as actorId, actor_role as actorRole, session_ref as sessionRef,
				request_id as requestId, action, entity, entity_id as entityId, before, after, reason, salt
			from audit_events join audit_salts on event_id = id where reason = 'typo' limit 1 offset 600`,
		);
		if (!entry) throw new Error("no entry is sealed");
		await tamper(
			"update audit_events set before = ?, after = ?, reason = ? where id = ?",
			erasedText(entry, "before"),
			erasedText(entry, "after"),
			erasedText(entry, "reason"),
			entry.id,
		);
		await bench.rows("delete from audit_salts where event_id = ?", entry.id);
		expect((await check()).kind).toBe("sound");
	});

	const some = "(select id from audit_events where reason = 'typo' limit 1 offset 700)";
	it.each([
		[
			"a text changed",
			`update audit_events set after = '{"name":"Someone else"}' where id = ${some}`,
		],
		["an actor changed", `update audit_events set actor_id = '${idOf("ben")}' where id = ${some}`],
		["a moment changed", `update audit_events set at = at + 1 where id = ${some}`],
		[
			"a reason erased with another digest",
			`update audit_events set reason = '{"erased":"${"0".repeat(64)}"}' where id = ${some}`,
		],
		["a text removed", `update audit_events set before = null where id = ${some}`],
		["an entry removed", `delete from audit_events where id = ${some}`],
		[
			"entries slipped in",
			`insert into audit_events (id, at, actor_role, action, entity, entity_id) values (-5, 1, 'admin', 'user.rename', 'user', 'x'), (0, 1, 'admin', 'user.rename', 'user', 'x')`,
		],
		[
			"a salt changed",
			`update audit_salts set salt = '${"f".repeat(32)}' where event_id = ${some}`,
		],
		[
			"a seal changed",
			`update audit_seals set hash = '${"0".repeat(64)}' where last_event_id = (select min(last_event_id) from audit_seals)`,
		],
		[
			"a seal removed",
			`delete from audit_seals where last_event_id = (select min(last_event_id) from audit_seals)`,
		],
	])("are broken by a change: %s", async (_, query) => {
		expect((await check()).kind).toBe("sound");
		await tamper(query);
		expect((await check()).kind).toBe("broken");
	});
});
