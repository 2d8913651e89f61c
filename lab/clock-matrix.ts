/**
 * `npm run test:clocks`: runs the whole suite, with all its processes, at unusual hours and in
 * unusual time zones, and prints a table of the results.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../tools/bundle.ts";

const USAGE = `Usage: npm run test:clocks -- [--only words] [part of a file name ...]

  --only   Runs only the rows of the table that contain these words, such as "03:00" or "Kathmandu".

Needs Linux and a C compiler: apt-get install gcc libc6-dev`;

type Line = { readonly name: string; readonly zone: string; readonly start?: string };

/**
 * Every unusual hour and every unusual zone once, paired so that both ends of the calendar meet, on
 * every day of New York's week.
 * New York's clock changes at 07:00 UTC on March 14 and at 06:00 UTC on November 7, 2027: those
 * runs start before the change and end after it. Its midnight is at 05:00 UTC in winter, and
 * reminders are queued from 12:00 UTC, on Mondays with the administrators' digest.
 */
const LINES: readonly Line[] = [
	{ name: "03:00 UTC", start: "2027-01-14T03:00:00Z", zone: "America/Los_Angeles" },
	{ name: "23:30 UTC", start: "2027-01-14T23:30:00Z", zone: "Asia/Kathmandu" },
	{ name: "spring change", start: "2027-03-14T06:50:00Z", zone: "Pacific/Kiritimati" },
	{ name: "autumn change", start: "2027-11-07T05:50:00Z", zone: "UTC" },
	{ name: "February 29", start: "2028-02-29T15:00:00Z", zone: "America/Los_Angeles" },
	{ name: "New Year", start: "2028-01-01T04:50:00Z", zone: "Pacific/Kiritimati" },
	{ name: "Monday at seven", start: "2027-01-11T11:45:00Z", zone: "America/Los_Angeles" },
	{ name: "just after midnight", start: "2027-01-15T05:01:00Z", zone: "UTC" },
	{ name: "now", zone: "UTC" },
];

/** Compiles the library that shifts the clock of a program and of everything it starts. */
function compile(): string {
	// LD_PRELOAD can't have a space in a path, as the checkout's may.
	const library = join(mkdtempSync(join(tmpdir(), "milepost-clock-")), "clock-ahead.so");
	const { status, error, stderr } = spawnSync(
		"cc",
		["-shared", "-fPIC", "-O2", "-o", library, "lab/clock-ahead.c"],
		{
			encoding: "utf8",
		},
	);
	if (error || status !== 0)
		throw new Error(`Changing the clock requires a C compiler.\n${stderr ?? ""}\n${USAGE}`);
	return library;
}

/** Stops if the library doesn't shift the clock, since every row would then run at this hour. */
function expectShift(library: string): void {
	const { stdout } = spawnSync(process.execPath, ["-p", "Date.now()"], {
		encoding: "utf8",
		env: { ...process.env, LD_PRELOAD: library, CLOCK_AHEAD_SECONDS: "86400" },
	});
	if (Number(stdout) - Date.now() < 86_000_000)
		throw new Error(`${library} doesn't shift the clock of Node.`);
}

function run({ start, zone }: Line, library: string, filters: string[], log: string): string {
	const ahead = start ? Math.round((Date.parse(start) - Date.now()) / 1000) : 0;
	const moved = start ? { LD_PRELOAD: library, CLOCK_AHEAD_SECONDS: String(ahead) } : {};
	const file = openSync(log, "w");
	spawnSync(process.execPath, ["tools/run.mjs", "test", ...filters], {
		env: { ...process.env, ...moved, TZ: zone },
		stdio: ["ignore", file, file],
	});
	closeSync(file);
	const last = readFileSync(log, "utf8").trimEnd().split("\n").at(-1) ?? "";
	return /^\d+ passed, \d+ failed/.test(last) ? last : `ended early: ${last}`;
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { only: { type: "string", default: "" }, help: { type: "boolean", short: "h" } },
});
if (values.help) console.log(USAGE);
else {
	const library = compile();
	expectShift(library);
	await bundle("local");
	await bundle("production");
	const lines = LINES.filter(({ name, zone }) => `${name} ${zone}`.includes(values.only));
	const results = lines.map((line, position) => {
		const log = `build/clocks-${position + 1}.log`;
		const result = run(line, library, positionals, log);
		console.log(`${line.name}, ${line.zone}: ${result} (${log})`);
		return { hour: line.name, start: line.start ?? "the machine's clock", zone: line.zone, result };
	});
	console.log("");
	console.table(results);
	if (results.length === 0 || results.some(({ result }) => !/ passed, 0 failed/.test(result)))
		process.exitCode = 1;
}
