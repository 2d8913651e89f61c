/** How `tools/run.mjs` ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLocalDatabase } from "../../tools/local-database.ts";
import { migrate } from "../../tools/migrate.ts";

it("ends without a stack once nobody reads what a tool prints", async () => {
	const state = await mkdtemp(join(tmpdir(), "milepost-run-"));
	try {
		const { db, close } = await openLocalDatabase(state);
		await migrate(db);
		await close();
		const child = spawn(process.execPath, ["tools/run.mjs", "doctor"], {
			env: { ...process.env, MILEPOST_STATE: state },
		});
		let told = "";
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			told += text;
		});
		// As `head -1` does.
		child.stdout.once("data", () => child.stdout.destroy());
		const [code, signal] = await once(child, "close");
		expect(told).toBe("");
		// Miniflare ends with the number that a shell gives the signal.
		expect(signal ?? code).toBe(143);
	} finally {
		await rm(state, { recursive: true });
	}
});
