/**
 * An operator with a checkout, an account on the stand-in for Cloudflare, and the npm and npx
 * commands.
 */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { bundle } from "../../tools/bundle.ts";
import { buildTool, type ProgramResult, runProgram } from "./admin-tool.ts";
import { checkOut } from "./checkout.ts";
import { startCloudflare } from "./cloudflare.ts";

export const ORIGIN = "https://fleet.example.com";

const WRANGLER = resolve("node_modules/wrangler/bin/wrangler.js");
/** `npm run` as in tools/run.mjs, with the tool already built, and `npx wrangler`. */
const COMMANDS = {
	npm: `tool="$2"; shift 2; [ "$1" = "--" ] && shift
exec "${process.execPath}" "$(dirname "$0")/$tool.mjs" "$@"`,
	npx: `shift; exec "${process.execPath}" "${WRANGLER}" "$@"`,
};

/** Sets up an operator with an empty account. */
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
	const bin = pathOf("..", "bin");
	await mkdir(bin);
	for (const [name, script] of Object.entries(COMMANDS))
		await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	async function build(name: string) {
		const tool = await buildTool(name);
		await symlink(tool.outfile, join(bin, `${name}.mjs`));
		return tool;
	}
	function toolNamed(name: string) {
		const tool = tools.get(name) ?? build(name);
		tools.set(name, tool);
		return tool;
	}
	/** Runs a tool as an operator does, such as `npm run doctor -- --remote`. */
	async function run(name: string, args: readonly string[] = [], env = {}, input = "") {
		return (await toolNamed(name)).run(args, { ...environment, ...env }, folder, input);
	}
	const toml = () => readFile(pathOf("wrangler.toml"), "utf8");
	/** The schema of every database. */
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
		deploy: (
			args: readonly string[] = [],
			env: Record<string, string> = {},
		): Promise<ProgramResult> => run("deploy", args, env),
		setup: (
			args: readonly string[],
			input = "",
			env: Record<string, string> = {},
		): Promise<ProgramResult> => run("setup", args, env, input),
		/** Runs a line typed into a shell. */
		async shell(
			line: string,
			input = "",
			env: Record<string, string> = {},
		): Promise<ProgramResult> {
			await Promise.all(
				[...line.matchAll(/npm run (\w+)/g)].map(([, name = ""]) => toolNamed(name)),
			);
			const path = [bin, dirname(process.execPath), process.env.PATH].join(":");
			return runProgram("sh", ["-c", line], {
				env: { ...environment, ...env, PATH: path },
				cwd: folder,
				input,
			});
		},
		/** Edits wrangler.toml; returns a function that restores it. */
		async edit(
			from: string | RegExp,
			to: string | ((found: string) => string),
		): Promise<() => Promise<void>> {
			const before = await toml();
			const after = before.replace(from, typeof to === "string" ? () => to : to);
			expect(after).not.toBe(before);
			await writeFile(pathOf("wrangler.toml"), after);
			return () => writeFile(pathOf("wrangler.toml"), before);
		},
		/** Everything a command may change, for comparison. */
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

/** Expects one line of one or more sentences, no stack, and a non-zero exit. */
export function expectStop(ran: ProgramResult, words: RegExp): void {
	const said = ran.err.trim();
	expect(said).toMatch(words);
	expect(said.split("\n"), said).toHaveLength(1);
	expect(said).not.toMatch(/\s+at .*:\d+|Error:/);
	expect(ran.code).toBe(1);
}
