import { expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { sweepStatements } from "./sweep.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("nobody", NOON);

it("finds old objects behind any number of young ones", async () => {
	const objects = new Map<string, Date>();
	for (let each = 0; each < 250; each++)
		objects.set(`s/${String(each).padStart(3, "0")}`, new Date(NOON - 60_000));
	for (let each = 0; each < 30; each++) objects.set(`s/old-${each}`, new Date(NOON - 86_400_000));
	const bucket = {
		list: async ({ limit = 1000, startAfter = "" }: R2ListOptions) => {
			const keys = [...objects.keys()].sort().filter((key) => key > startAfter);
			const page = keys.slice(0, limit).map((key) => ({ key, uploaded: objects.get(key) }));
			return { objects: page, truncated: keys.length > limit };
		},
		delete: async (keys: string[]) => {
			for (const key of keys) objects.delete(key);
		},
	} as unknown as R2Bucket;
	const system = { role: "system", db: new Database(bench.batches), now: NOON } as const;
	for (let minute = 0; minute < 3; minute++) await sweepStatements(system, bucket);
	expect([...objects.keys()].filter((key) => key.includes("old"))).toEqual([]);
	expect(objects.size).toBe(250);
	// And starts over.
	objects.set("s/001-old", new Date(NOON - 86_400_000));
	for (let minute = 0; minute < 3; minute++) await sweepStatements(system, bucket);
	expect(objects.has("s/001-old")).toBe(false);
});
