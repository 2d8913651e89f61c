/**
 * A client whose types a public generator makes of the API's document type-checks, and does the
 * product's main job (tests/client).
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertToken } from "../support/tokens.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ port: await freePort() });
// Inside the project, so that the programs find the packages.
mkdirSync("build", { recursive: true });
const folder = mkdtempSync(join("build", "client-"));
afterAll(() => rmSync(folder, { recursive: true }));

const document = (await fleet.client().call("GET", "/api/openapi.json")).text;
const types = astToString(await openapiTS(document));
writeFileSync(join(folder, "milepost.ts"), types);
const programs = ["main-job.ts", "mistakes.ts"].map((name) => {
	copyFileSync(join("tests/client", name), join(folder, name));
	return join(folder, name);
});

/** Checks the programs with the project's compiler, and returns their faults and their JavaScript. */
function compile(paths: readonly string[]) {
	const scripts = new Map<string, string>();
	const program = ts.createProgram(paths, {
		...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
		...{ noUnusedLocals: true, noUnusedParameters: true, skipLibCheck: true },
		lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler,
		rewriteRelativeImportExtensions: true,
		target: ts.ScriptTarget.ES2022,
		types: ["node"],
	});
	program.emit(undefined, (name, text) => scripts.set(basename(name), text));
	const faults = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
		const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
		return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
	});
	return { faults, scripts };
}

it("has a type for everything that is sent and answered", () => {
	const loose = types
		.split("\n")
		.filter((line) => /\b(?:unknown|any)\b/.test(line.replace(/\/?\*.*$/, "")))
		// Of files, of a document about itself, and of headers that anyone on the way may add.
		.filter((line) => !/^\s*(?:"[a-z]+\/[\w.-]+"|\[name: string\]): unknown;$/.test(line))
		.map((line) => line.trim());
	expect(loose).toEqual([]);
	const untyped = [...types.matchAll(/"application\/json": unknown/g)];
	expect(untyped, "only the document itself").toHaveLength(1);
	expect(types).not.toContain("@enum {unknown}");
});

it("lets a program write only what the API takes, which does the main job", async () => {
	const { faults, scripts } = compile(programs);
	expect(faults).toEqual([]);
	const path = join(folder, "main-job.js");
	writeFileSync(path, scripts.get("main-job.js") ?? "");
	const dana = await fleet.as("dana");
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	const env = {
		...process.env,
		MILEPOST: fleet.origin,
		TOKEN: await insertToken(sql, idOf("ada"), "write"),
		COOKIE: dana.cookie,
		DAY: daysAgo(0),
	};
	const { stdout } = await promisify(execFile)(process.execPath, [path], { env });
	expect(JSON.parse(stdout)).toEqual({
		miles: 42,
		refused: ["Ending odometer must be greater than starting odometer"],
		pages: 2,
		pending: ["19.99", "42.50", "7.00"],
		message: "admin",
		approved: [true, "42.50"],
		inTheWay: [true],
		total: "62.49",
		lines: [["DRV-0001", "62.49"]],
		paid: ["paid", true, "ACH 4471"],
		own: [
			["19.99", "approved", "paid"],
			["42.50", "approved", "paid"],
			["7.00", "rejected", null],
		],
		fuel: "62.49",
		spent: "62.49",
		report: true,
	});
	expect(await fleet.sql("select status, total_cents from payouts")).toMatchObject([
		{ status: "paid" },
	]);
});
