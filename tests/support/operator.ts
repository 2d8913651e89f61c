/** An operator with a checkout, an account on the stand-in for Cloudflare, and the two commands. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { bundle } from "../../tools/bundle.ts";
import { buildTool, type Ran } from "./admin-tool.ts";
import { checkOut } from "./checkout.ts";
import { startCloudflare } from "./cloudflare.ts";

export const ORIGIN = "https://fleet.example.com";

/** Gets all of it ready, with nothing in the account yet. */
export async function startOperator() {
	await bundle("production");
	const [cloudflare, checkout] = await Promise.all([startCloudflare(), checkOut()]);
	const tools = new Map<string, ReturnType<typeof buildTool>>();
	const { folder } = checkout;
	const pathOf = (...names: string[]) => join(folder, ...names);
	const smoke = {
		MILEPOST_SMOKE_URL: cloudflare.addressOf(new URL(ORIGIN).hostname),
		MILEPOST_SMOKE_SECONDS: "1",
	};
	const environment = { ...cloudflare.environment, ...smoke };
	/** Runs a tool as an operator does, such as `npm run doctor -- --remote`. */
	async function run(name: string, args: readonly string[] = [], env = {}, input = "") {
		const tool = tools.get(name) ?? buildTool(name);
		tools.set(name, tool);
		return (await tool).run(args, { ...environment, ...env }, folder, input);
	}
	const toml = () => readFile(pathOf("wrangler.toml"), "utf8");
	/** Every row that a migration has left, in every database. */
	async function schemas() {
		const ids = [...cloudflare.account.databases.keys()];
		return Promise.all(
			ids.map(async (id) => {
				const db = await cloudflare.account.runtime.database(id);
				const sql =
					"select type, name from sqlite_master where name not like '_cf_%' order by name";
				return [id, (await db.prepare(sql).all()).results];
			}),
		);
	}
	return {
		cloudflare,
		pathOf,
		toml,
		run,
		deploy: (args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ran> =>
			run("deploy", args, env),
		setup: (args: readonly string[], input = "", env: Record<string, string> = {}): Promise<Ran> =>
			run("setup", args, env, input),
		/** The real wrangler, as an operator types it. */
		async wrangler(args: readonly string[]): Promise<void> {
			const program = resolve("node_modules/wrangler/bin/wrangler.js");
			await promisify(execFile)(process.execPath, [program, ...args, "--env="], {
				cwd: folder,
				env: { ...process.env, ...environment },
			});
		},
		/** Edits wrangler.toml; the answer puts it back. */
		async edit(from: string | RegExp, to: string): Promise<() => Promise<void>> {
			const before = await toml();
			const after = before.replace(from, to);
			expect(after).not.toBe(before);
			await writeFile(pathOf("wrangler.toml"), after);
			return () => writeFile(pathOf("wrangler.toml"), before);
		},
		/** All that a command may change, to be compared. */
		async state() {
			const { databases, buckets, scripts } = cloudflare.account;
			const workers = [...scripts].map(([name, script]) => [
				name,
				[...script.secrets],
				script.deployments,
				[script.hosts, script.crons, script.subdomain],
			]);
			const kept = [[...databases], [...buckets], workers, await schemas(), await toml()];
			return JSON.stringify(kept);
		},
		async close() {
			await Promise.all([cloudflare.close(), checkout.remove()]);
			for (const tool of tools.values()) await (await tool).remove();
		},
	};
}
export type Operator = Awaited<ReturnType<typeof startOperator>>;

/** Expects one sentence, or more that follow on it, in one line; no stack, and a non-zero exit. */
export function expectStop(ran: Ran, words: RegExp): void {
	const said = ran.err.trim();
	expect(said).toMatch(words);
	expect(said.split("\n"), said).toHaveLength(1);
	expect(said).not.toMatch(/\s+at .*:\d+|Error:/);
	expect(ran.code).toBe(1);
}
