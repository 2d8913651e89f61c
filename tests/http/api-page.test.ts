/** The commands of docs/api.md, run as they stand. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { expectedOf, sampleBytes } from "../support/statements.ts";
import { insertToken } from "../support/tokens.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ port: await freePort() });
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "milepost-api-"));
afterAll(() => rmSync(folder, { recursive: true }));

const page = readFileSync("docs/api.md", "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text = ""]) => ({
	kind,
	text,
}));
const commands = blocks.filter(({ text }) => text.startsWith("curl")).map(({ text }) => text);
const script = blocks.find(({ kind }) => kind === "js")?.text ?? "";

/** Where programs are looked for: curl is on most machines that people work at, but not on all. */
const programs = await run("curl", ["--version"]).then(
	() => process.env.PATH,
	() => {
		const standIn = resolve("tests/support/curl.mjs");
		const command = `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`;
		writeFileSync(join(folder, "curl"), command, { mode: 0o755 });
		return `${folder}${delimiter}${process.env.PATH}`;
	},
);
const environment = async (scope: string, more: Readonly<Record<string, string>> = {}) => ({
	...process.env,
	PATH: programs,
	MILEPOST: fleet.origin,
	TOKEN: await insertToken(sql, idOf("ada"), scope),
	...more,
});

describe("the Monday import", () => {
	const sample = "uber-payments-driver";
	const expected = expectedOf(sample);
	const people = [...new Set(expected.fees.map(({ platformId }) => platformId))];
	const cast = ["dana", "omar", "lena"] as const;
	const drivers = Object.fromEntries(
		people.map((id, position) => [id, idOf(cast[position % cast.length] ?? "dana")]),
	);

	it("previews, imports once, and lists what is recorded", async () => {
		const file = join(folder, expected.uploadAs);
		writeFileSync(file, sampleBytes(sample));
		const env = await environment("import", { FILE: file, DRIVERS: JSON.stringify(drivers) });
		const answer = async (command: string | undefined) =>
			JSON.parse((await run("sh", ["-c", command ?? ""], { env })).stdout);
		const [preview, toImport, list] = commands;

		expect(await answer(preview)).toMatchObject({ importId: null, needs: ["drivers"] });
		expect(await sql("select id from uber_fees")).toEqual([]);
		expect(await answer(toImport)).toMatchObject({ importId: expect.any(String), needs: [] });
		const recorded = await sql("select sum(amount_cents) as cents from uber_fees");
		const states = (await answer(toImport)).fees.map(({ state }: { state: string }) => state);
		expect(new Set(states)).toEqual(new Set(["imported-before"]));
		expect(await sql("select sum(amount_cents) as cents from uber_fees")).toEqual(recorded);
		const fees = await sql("select id from uber_fees limit 5");
		expect(await answer(list)).toHaveLength(fees.length);
		expect(commands).toHaveLength(3);
	});
});

describe("the payroll script", () => {
	const path = join(folder, "payroll.mjs");
	writeFileSync(path, script);
	const play = async (...days: string[]) =>
		(await run(process.execPath, [path, ...days], { env: await environment("read") })).stdout;

	it("adds up what each driver was paid, over several pages", async () => {
		const day = daysAgo(3);
		const at = Date.parse(daysAgo(60));
		const old = { requested_on: daysAgo(60), created_at: at, decided_at: at };
		for (let number = 1; number <= 22; number++) {
			const requestIds = [await insertApproved(sql, number, "dana", 1010, old)];
			if (number === 1) requestIds.push(await insertApproved(sql, 100, "omar", 5, old));
			const { id } = await gather(await fleet.as("ada"), { requestIds });
			const paid = { status: "paid", paidOn: number === 22 ? daysAgo(20) : day, reference: "ACH" };
			await (await fleet.as("ada")).call("PUT", `/api/payouts/${id}`, paid);
		}
		const heads = "Driver ID,Driver,Paid\n";
		expect(await play(day, day)).toBe(
			`${heads}DRV-0001,"Dana Driver",212.10\nDRV-0002,"Omar Okafor",0.05\n`,
		);
		expect(await play(daysAgo(90), daysAgo(80))).toBe(heads);
	});

	it("has at most 40 lines, and says what it needs", async () => {
		expect(script.trim().split("\n").length).toBeLessThanOrEqual(40);
		await expect(play(daysAgo(3))).rejects.toThrow("Set MILEPOST and TOKEN");
	});
});
