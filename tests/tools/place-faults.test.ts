/** What the tools say about files that can't be written: never that it is the database's fault. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { isDiskFull, isOfFile, whyNotWritten, whyUnusable } from "../../tools/place-faults.ts";
import { buildTool, expectFault, runProgram } from "../support/admin-tool.ts";

const systemError = (code: string, words: string, more: object) =>
	Object.assign(new Error(`${code}: ${words}`), { code, ...more });

it("a full disk is called that, and nobody is told to move their fleet away", () => {
	const words =
		"can't be written: the disk is full (SQLITE_FULL). Make room there, or set MILEPOST_STATE to a folder on another disk.";
	expect(whyUnusable("/fleet", "database or disk is full: SQLITE_FULL")).toBe(
		`The database in /fleet ${words}`,
	);
	expect(whyNotWritten("/fleet", "ENOSPC")).toBe(
		`/fleet ${words.replace("SQLITE_FULL", "ENOSPC")}`,
	);
	expect(whyUnusable("/fleet", "file is not a database")).toMatch(/Move that folder away/);
	const full = systemError("ENOSPC", "no space left on device, write", { syscall: "write" });
	expect([isDiskFull(full), isDiskFull(new Error("D1_ERROR: SQLITE_FULL"))]).toEqual([true, true]);
	expect(isDiskFull(new Error("no such table: users"))).toBe(false);
});

it("a connection isn't a file", () => {
	expect(
		isOfFile(systemError("EACCES", "permission denied, mkdir '/x'", { syscall: "mkdir" })),
	).toBe(true);
	expect(
		isOfFile(systemError("ECONNREFUSED", "connect", { syscall: "connect", address: "127.0.0.1" })),
	).toBe(false);
	expect(isOfFile(new Error("D1_ERROR: no such table"))).toBe(false);
});

it("a folder for a backup that can't be made is what is named", async () => {
	const scratch = await mkdtemp(join(tmpdir(), "milepost-faults-"));
	const backup = await buildTool("backup");
	try {
		// Only has to look like a fleet: the folder is made before anything is read.
		await mkdir(join(scratch, "state", "d1"), { recursive: true });
		await writeFile(join(scratch, "a file"), "");
		const env = { MILEPOST_STATE: join(scratch, "state") };
		// Nobody may make a folder in the first one, not even a superuser.
		for (const folder of ["/sys/milepost", join(scratch, "a file")])
			expectFault(
				await backup.run(["--to", folder], env),
				/^A file or folder can't be used: E[A-Z]+: .+, mkdir '.+'$/m,
			);
	} finally {
		await backup.remove();
		await rm(scratch, { recursive: true });
	}
});

it("a database that belongs to someone else is called that, and no internal error", async () => {
	const scratch = await mkdtemp(join(tmpdir(), "milepost-faults-"));
	const state = join(scratch, "state");
	const faults = join(scratch, "place-faults.mjs");
	try {
		await mkdir(join(state, "d1"), { recursive: true });
		await writeFile(join(state, "d1", "fleet.sqlite"), "");
		await chmod(scratch, 0o755);
		await build({
			entryPoints: ["tools/place-faults.ts"],
			...({ bundle: true, platform: "node", format: "esm", outfile: faults } as const),
		});
		const refusedWith = async (mode: number, path: string) => {
			await chmod(path, mode);
			// Nothing is closed to a superuser, who becomes nobody here.
			const look = `const { expectWritable } = await import(${JSON.stringify(faults)});
				if (process.getuid?.() === 0) process.setuid(65534);
				expectWritable(${JSON.stringify(state)});`;
			return runProgram(process.execPath, ["--input-type=module", "-e", look], {
				env: process.env as Record<string, string>,
				cwd: scratch,
			});
		};
		for (const path of ["fleet.sqlite", ""])
			expect((await refusedWith(path ? 0o444 : 0o500, join(state, "d1", path))).err).toMatch(
				/The database in \S+state can't be written \(EACCES\)\. Give yourself the right to, or set MILEPOST_STATE to another folder\.$/m,
			);
	} finally {
		await chmod(join(state, "d1"), 0o700);
		await rm(scratch, { recursive: true });
	}
});
