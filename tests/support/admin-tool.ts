/** A tool, such as `npm run admin -- ...`, as a separate program. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { build } from "esbuild";
import { expect } from "vitest";

export type ProgramResult = { code: number | null; out: string; err: string };

export const buildAdmin = () => buildTool("admin");

/** Builds a tool, which the caller must remove. */
export async function buildTool(name: string) {
	const outfile = resolve(`build/tools/${name}-${randomUUID()}.mjs`);
	await build({
		entryPoints: [`tools/${name}.ts`],
		outfile,
		bundle: true,
		platform: "node",
		format: "esm",
		packages: "external",
		logLevel: "error",
	});

	const run = (
		args: readonly string[],
		env: Readonly<Record<string, string>>,
		cwd = process.cwd(),
		input = "",
	): Promise<ProgramResult> =>
		runProgram(process.execPath, [outfile, ...args], { env, cwd, input });
	return { run, outfile, remove: () => rm(outfile) };
}

/** Runs a program without blocking the test's own servers. */
export function runProgram(
	program: string,
	args: readonly string[],
	{
		env,
		cwd,
		input = "",
		uid,
	}: { env: Readonly<Record<string, string>>; cwd: string; input?: string; uid?: number },
): Promise<ProgramResult> {
	return new Promise((done, fail) => {
		const child = spawn(program, args, {
			cwd,
			env: { ...process.env, ...env },
			...(uid === undefined ? {} : { uid }),
		});
		child.stdin.on("error", () => undefined);
		child.stdin.end(input);
		const ran: ProgramResult = { code: null, out: "", err: "" };
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			ran.out += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			ran.err += text;
		});
		child.once("error", fail).once("close", (code) => done({ ...ran, code }));
	});
}

/** Expects a one-line message, no stack, and a non-zero exit. */
export function expectFault(ran: ProgramResult, words: RegExp): void {
	expect(ran.code).toBe(1);
	expect(ran.out).toBe("");
	expect(ran.err.trim().split("\n")).toHaveLength(1);
	expect(ran.err).toMatch(words);
	expect(ran.err).not.toMatch(/\n\s+at |Error:/);
}
