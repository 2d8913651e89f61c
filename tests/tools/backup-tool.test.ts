/**
 * `npm run backup` and `npm run restore` as programs: on state folders, and against an API on this
 * machine with a real D1 behind it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	symlink,
	writeFile,
} from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalPlace, type Place } from "../../tools/backup-place.ts";
import { processStart } from "../../tools/child-workerd.ts";
import { migrate, migrationFiles } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { buildTool, expectFault, type ProgramResult } from "../support/admin-tool.ts";
import { idOf, seedOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { ACCOUNT, DATABASE, startD1Api, TOKEN } from "../support/d1-api.ts";

const scratch = await mkdtemp(join(tmpdir(), "milepost-backup-tool-"));
type Tool = Awaited<ReturnType<typeof buildTool>>;
let backup: Tool;
let restore: Tool;
let doctor: Tool;
const receipt = new TextEncoder().encode("a receipt");
const state = join(scratch, "state");

/** The cast with one receipt. */
async function fill(db: D1Database): Promise<void> {
	await migrate(db);
	await insertSeed(db, seedOf(currentTime(), "everyone"));
	await db
		.prepare(
			`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
			values ('r1', ?, 'r/r1', 'image/png', 9, ?, 'a.png', 1)`,
		)
		.bind(idOf("dana"), createHash("sha256").update(receipt).digest("hex"))
		.run();
}

/** Starts a tool that stops where something of the file system never answers, so that it can be ended there. */
async function spawnHeld(
	args: readonly string[],
	env: Readonly<Record<string, string>>,
	patch: string,
): Promise<ChildProcess> {
	const hold = join(scratch, "hold.cjs");
	await writeFile(
		hold,
		`const [fs, files] = [require("node:fs"), require("node:fs/promises")];
		${patch}
		require("node:module").syncBuiltinESMExports();`,
	);
	return spawn(process.execPath, ["--require", hold, ...args], {
		env: { ...process.env, ...env },
		stdio: "ignore",
	});
}
/** The exit code of a program that is told to end. */
async function endedBy(child: ChildProcess, signal: "SIGINT" | "SIGTERM"): Promise<unknown> {
	const ended = once(child, "close");
	child.kill(signal);
	return (await ended)[0];
}

async function peopleOf(db: D1Database) {
	return (await db.prepare("select * from users order by id").all()).results;
}

beforeAll(async () => {
	[backup, restore, doctor] = await Promise.all([
		buildTool("backup"),
		buildTool("restore"),
		buildTool("doctor"),
	]);
	const place = await openLocalPlace(state);
	await fill(place.db);
	await place.receipts.put("r/r1", receipt, "image/png");
	await place.close();
});
afterAll(async () => {
	await Promise.all([backup, restore, doctor].map((tool) => tool.remove()));
	await rm(scratch, { recursive: true, force: true });
});

describe("a state folder", () => {
	const at = (folder: string) => ({ MILEPOST_STATE: folder });

	it("is backed up and restored into a new one, also encrypted", async () => {
		const people = await withPlace(state, peopleOf);
		for (const env of [{}, { MILEPOST_BACKUP_PASSPHRASE: "a secret" }] as Record<
			string,
			string
		>[]) {
			const name = Object.keys(env).length;
			const folder = join(scratch, `backup-${name}`);
			const target = join(scratch, `restored-${name}`);
			const saved = await backup.run(["--to", folder], { ...at(state), ...env });
			expect(saved).toMatchObject({ code: 0, err: "" });
			expect(saved.out).toMatch(/^\d+ rows and 1 receipt, 0\.0 MB, as of 20\S+Z, in [\d.]+ s: /);
			const read = await restore.run(["--from", folder], { ...at(target), ...env });
			expect(read).toMatchObject({ code: 0, err: "" });
			expect(read.out).toMatch(
				/^\d+ rows and 1 receipt restored as of .*; every total agrees\.\n$/,
			);
			const found = await withPlace(target, async (db, { receipts }) => [
				await peopleOf(db),
				await receipts.get("r/r1"),
			]);
			expect(found).toEqual([people, receipt]);
		}
		const [folder, target] = [join(scratch, "backup-0"), join(scratch, "restored-0")];
		expectFault(
			await restore.run(["--from", folder], at(target)),
			/has a database already\. Move the whole folder away/,
		);
		expectFault(await backup.run(["--to", folder], at(state)), /isn't empty/);
		expectFault(
			await restore.run(["--from", join(scratch, "backup-1")], at(join(scratch, "x"))),
			/^This backup is encrypted: set MILEPOST_BACKUP_PASSPHRASE\.$/m,
		);
		expect(existsSync(join(scratch, "x"))).toBe(false);
	});

	it("isn't restored over the receipts of another fleet, only over its own beginning", async () => {
		const [folder, target] = [join(scratch, "kept"), join(scratch, "half")];
		expect(await backup.run(["--to", folder], at(state))).toMatchObject({ code: 0 });
		// The database was moved away, and its receipts were forgotten.
		await withPlace(target, (_, { receipts }) => receipts.put("r/old", receipt, "image/png"));
		await rm(join(target, "d1"), { recursive: true, force: true });
		expectFault(
			await restore.run(["--from", folder], at(target)),
			/half has receipts already\. Move the whole folder away, or set MILEPOST_STATE to a new one\.$/m,
		);
		expect(await withPlace(target, (_, { receipts }) => receipts.get("r/old"))).toEqual(receipt);
		await rm(target, { recursive: true });
		// A restore was killed after it had moved the receipts.
		expect(await restore.run(["--from", folder], at(target))).toMatchObject({ code: 0 });
		const partial = `${target}.restoring`;
		await mkdir(partial);
		await rename(join(target, "d1"), join(partial, "d1"));
		await writeFile(join(partial, "moving"), "");
		expect(await restore.run(["--from", folder], at(target))).toMatchObject({ code: 0, err: "" });
		expect(await withPlace(target, (_, { receipts }) => receipts.get("r/r1"))).toEqual(receipt);
		expect(existsSync(partial)).toBe(false);
	});

	it("is restored once by two that run at the same time, and not into a folder in use", async () => {
		const [folder, target] = [join(scratch, "wanted"), join(scratch, "contested")];
		expect(await backup.run(["--to", folder], at(state))).toMatchObject({ code: 0 });
		const both = await Promise.all([1, 2].map(() => restore.run(["--from", folder], at(target))));
		const [done, refused] = both.sort((one, other) => Number(one.code) - Number(other.code));
		expect(done).toMatchObject({ code: 0, err: "" });
		expectFault(
			refused as ProgramResult,
			/^\S+contested is in use by another command \(process \d+\)\. Wait until it is done, or set MILEPOST_STATE to a new folder\.$/m,
		);
		expect(await withPlace(target, peopleOf)).toEqual(await withPlace(state, peopleOf));
		expect(await readdir(target)).toEqual(["d1", "r2"]);
		// A server that is still building has no database yet.
		const starting = join(scratch, "starting");
		await mkdir(starting);
		const { pid } = process;
		const server = { pid, port: 1234, startedAt: processStart(pid) };
		await writeFile(join(starting, "server.json"), JSON.stringify(server));
		expectFault(
			await restore.run(["--from", folder], at(starting)),
			/^\S+starting is in use by the server at http:\/\/localhost:1234 \(process \d+\)\. Stop it, or set MILEPOST_STATE to a new folder\.$/m,
		);
		// What can't be restored leaves nothing behind.
		await writeFile(`${join(scratch, "blocked")}.restoring`, "");
		await mkdir(join(scratch, "blocked", "d1"), { recursive: true });
		expect(await restore.run(["--from", folder], at(join(scratch, "blocked")))).toMatchObject({
			code: 1,
		});
		expect(await readdir(join(scratch, "blocked"))).toEqual(["d1"]);
	});

	it("isn't backed up without the migrations of this release, and says so", async () => {
		const older = join(scratch, "older");
		await withPlace(older, (db) =>
			migrate(
				db,
				migrationFiles()
					.slice(0, 10)
					.map(({ name }) => name),
			),
		);
		expectFault(
			await backup.run(["--to", join(scratch, "of-older")], at(older)),
			/^The database isn't migrated\. Run npm start once, or for --remote: npm run deploy\. Until then, only the release that it belongs to can use it\.$/m,
		);
	});

	it("leaves nothing in the folder of a backup that fails or is stopped, which can be used again", async () => {
		const folder = join(scratch, "begun");
		await withPlace(state, (_, { receipts }) => receipts.put("r/odd name", receipt, "image/png"));
		const rename = (from: string, to: string) =>
			withPlace(state, (db) =>
				db.prepare("update receipts set object_key = ? where object_key = ?").bind(to, from).run(),
			);
		await rename("r/r1", "r/odd name");
		try {
			expectFault(await backup.run(["--to", folder], at(state)), /isn't one of our keys\.$/m);
			expect(await readdir(folder)).toEqual([]);
		} finally {
			await rename("r/odd name", "r/r1");
		}
		for (const signal of ["SIGINT", "SIGTERM"] as const) {
			const names = () => readdirSync(folder);
			const child = await spawnHeld(
				[backup.outfile, "--to", folder],
				at(state),
				"files.rename = () => new Promise(() => {});",
			);
			await expect.poll(names).toContain("manifest.sha256");
			expect(await endedBy(child, signal)).toBe({ SIGINT: 130, SIGTERM: 143 }[signal]);
			expect(names()).toEqual([]);
		}
		expect(await backup.run(["--to", folder], at(state))).toMatchObject({ code: 0, err: "" });
	});

	it("leaves no half restored copy when it is stopped", async () => {
		const [folder, target] = [join(scratch, "whole"), join(scratch, "stopped")];
		expect(await backup.run(["--to", folder], at(state))).toMatchObject({ code: 0 });
		const begun = join(`${target}.restoring`, "d1");
		const child = await spawnHeld(
			[restore.outfile, "--from", folder],
			at(target),
			`const { createReadStream } = fs;
			fs.createReadStream = (...given) => fs.existsSync(${JSON.stringify(begun)})
				? new (require("node:stream").Readable)({ read() {} }) : createReadStream(...given);`,
		);
		await expect.poll(() => existsSync(begun)).toBe(true);
		expect(await endedBy(child, "SIGINT")).toBe(130);
		expect([target, `${target}.restoring`].filter((path) => existsSync(path))).toEqual([]);
	});

	it("isn't called incomplete because its files can't be read", async () => {
		const folder = join(scratch, "unreadable");
		expect(await backup.run(["--to", folder], at(state))).toMatchObject({ code: 0 });
		for (const name of ["tables/users.ndjson", "manifest.json"]) {
			await rm(join(folder, name));
			await symlink(join(folder, name), join(folder, name));
			expectFault(
				await restore.run(["--from", folder], at(join(scratch, "none"))),
				/^A file or folder can't be used: ELOOP: .+$/m,
			);
		}
	});

	it("is the usual one if MILEPOST_STATE is set to nothing, not the folder of the command", async () => {
		const here = join(scratch, "here");
		await mkdir(join(here, "d1"), { recursive: true });
		const ran = await backup.run(["--to", join(scratch, "z")], at(""), here);
		expectFault(ran, /^There is no database in \S+here\/\.milepost yet\./m);
	});

	it.each([
		["backup", [], /^Specify a folder: --to FOLDER\. See npm run backup -- --help$/m],
		[
			"backup",
			["--to", "x", "--frob"],
			/^Unknown option '--frob'\. See npm run backup -- --help$/m,
		],
		["backup", ["--from", "x"], /See npm run backup -- --help$/m],
		[
			"backup",
			["--to", join(scratch, "y")],
			/^There is no database in .* yet\. Run npm start once/m,
		],
		["restore", [], /^Specify a folder: --from FOLDER\./m],
		[
			"restore",
			["--from", join(scratch, "nowhere")],
			/isn't a complete backup: it has no manifest/,
		],
	] as const)("%s %j is refused in one line", async (name, args, words) => {
		const tool = name === "backup" ? backup : restore;
		expectFault(await tool.run([...args], at(join(scratch, "none"))), words);
	});

	it("has help", async () => {
		for (const tool of [backup, restore]) {
			const ran = await tool.run(["--help"], {});
			expect(ran).toMatchObject({ code: 0, err: "" });
			expect(ran.out).toMatch(/^Usage: npm run (backup|restore) -- /);
		}
	});
});

async function withPlace<T>(
	folder: string,
	work: (db: D1Database, place: Place) => Promise<T>,
): Promise<T> {
	const place = await openLocalPlace(folder);
	try {
		return await work(place.db, place);
	} finally {
		await place.close();
	}
}

/** Cloudflare's API with the objects of a bucket in front of the database. */
async function startApi() {
	const api = await startD1Api();
	const objects = new Map<string, Buffer>();
	let mishaps = 2;
	const path = `/client/v4/accounts/${ACCOUNT}/r2/buckets/receipts-of-fleet/objects/`;
	const server = createServer(async (asked, answer) => {
		const url = asked.url ?? "";
		const body = await buffer(asked);
		if (!url.startsWith(path)) {
			const { method = "GET", headers } = asked;
			request(`${new URL(api.base).origin}${url}`, { method, headers }, (inner) => {
				answer.writeHead(inner.statusCode ?? 500, inner.headers);
				inner.pipe(answer);
			}).end(body);
			return;
		}
		const key = url.slice(path.length);
		if (asked.headers.authorization !== `Bearer ${TOKEN}`) answer.writeHead(403).end();
		// Nobody else finds a bucket of a jurisdiction.
		else if (asked.headers["cf-r2-jurisdiction"] !== "eu") answer.writeHead(404).end();
		// It fails now and then.
		else if (mishaps-- > 0) answer.writeHead(500).end();
		else if (asked.method === "PUT") {
			objects.set(key, body);
			answer.writeHead(200).end('{"success":true}');
		} else if (objects.has(key)) answer.end(objects.get(key));
		else answer.writeHead(404).end();
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	return {
		db: api.db,
		objects,
		base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
			await api.close();
		},
	};
}

it("the deployed fleet is backed up and restored over Cloudflare's API", async () => {
	const [source, target] = [await startApi(), await startApi()];
	try {
		const folder = join(scratch, "remote");
		await mkdir(folder);
		await symlink(resolve("migrations"), join(folder, "migrations"));
		await writeFile(
			join(folder, "wrangler.toml"),
			`compatibility_date = "2026-04-01"\n[[d1_databases]]\nbinding = "DB"\ndatabase_name = "fleet"\ndatabase_id = "${DATABASE}"\n
			[[r2_buckets]]\nbinding = "RECEIPTS"\nbucket_name = "receipts-of-fleet"\njurisdiction = "eu"\n`,
		);
		const env = (api: { base: string }) => ({
			CLOUDFLARE_API_BASE_URL: api.base,
			CLOUDFLARE_API_TOKEN: TOKEN,
			CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
		});
		await fill(source.db);
		source.objects.set("r/r1", Buffer.from(receipt));
		const saved = await backup.run(["--to", "saved", "--remote"], env(source), folder);
		expect(saved).toMatchObject({ code: 0, err: "" });
		const damaged = join(folder, "saved", "manifest.json");
		const whole = await readFile(damaged);
		await writeFile(damaged, whole.subarray(1));
		const refused = [
			[env(target), /^manifest\.json is damaged/m],
			[{ ...env(target), CLOUDFLARE_API_TOKEN: "another" }, /token/i],
		] as const;
		for (const [each, why] of refused) {
			const { code, err } = await restore.run(["--from", "saved", "--remote"], each, folder);
			expect([code, err]).toEqual([1, expect.stringMatching(why)]);
			// Nothing was touched, and the database may be the one in use.
			expect(err).not.toContain("half restored");
			await writeFile(damaged, whole);
		}
		const read = await restore.run(["--from", "saved", "--remote"], env(target), folder);
		expect(read).toMatchObject({ code: 0, err: "" });
		// What the checkup sees of it: nothing is scheduled here, so nothing was swept.
		const seen = await doctor.run(["--remote"], env(target), folder);
		expect(seen.out.match(/^WRONG.*$/gm)).toEqual([
			expect.stringMatching(/^WRONG {2}leftovers: receipts that no request or charge has: 1\. /),
			expect.stringMatching(/^WRONG {2}schedule: no daily task has ever run: /),
			expect.stringMatching(/^WRONG {2}providers: APP_ORIGIN isn't set/),
		]);
		expect([seen.code, seen.err]).toEqual([1, expect.stringContaining("the deployed fleet")]);
		expect(await peopleOf(target.db)).toEqual(await peopleOf(source.db));
		expect([...target.objects]).toEqual([["r/r1", Buffer.from(receipt)]]);
		expectFault(
			await restore.run(["--from", "saved", "--remote"], env(target), folder),
			/^The database already has rows\. Restore into an empty one\.$/m,
		);
		expectFault(
			await backup.run(
				["--to", "again", "--remote"],
				{ ...env(source), CLOUDFLARE_API_TOKEN: "" },
				folder,
			),
			/^Set CLOUDFLARE_API_TOKEN/m,
		);
	} finally {
		await source.close();
		await target.close();
	}
});
