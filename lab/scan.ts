/**
 * `npm run scan`: runs third-party scanners against `npm start` on loopback, signed in as a driver
 * and as an administrator, then checks for known vulnerabilities, and ends with one table. Parts can
 * be named: `npm run scan -- sqlmap wapiti --minutes 5` (for each scanner and person). sqlmap and wapiti come from the system: apt-get install sqlmap wapiti.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CAST } from "../tests/support/cast.ts";
import { freePort } from "../tools/free-port.ts";
import { openProxy } from "./scan/proxy.ts";
import { requestFile, type Scanner, TARGETS } from "./scan/targets.ts";
import { type Finding, formatTable, mustBeZero, type Row } from "./torture/table.ts";

const PEOPLE = { driver: CAST.dana.email, administrator: CAST.ada.email } as const;
const SCANNERS: readonly Scanner[] = ["driver", "administrator"];
/** Leaves out techniques that need their own server, and timing, which a busy machine distorts. */
const MODULES =
	"backup,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,sql,xss";
/**
 * Findings that need no fix: browsers have dropped X-XSS-Protection, which itself caused
 * vulnerabilities, and http://localhost has no TLS.
 */
const ACCEPTED = /X-XSS-Protection is not set|^Secure Flag cookie/;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { minutes: { type: "string", default: "5" } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error("--minutes must be a number greater than 0");

type Site = { readonly origin: string; readonly cookies: Readonly<Record<Scanner, string>> };

async function cookieOf(origin: string, email: string): Promise<string> {
	const response = await fetch(`${origin}/api/login`, {
		method: "POST",
		redirect: "manual",
		headers: { Origin: origin, "Sec-Fetch-Site": "same-origin" },
		body: new URLSearchParams({ email }),
	});
	const [cookie = ""] = (response.headers.getSetCookie()[0] ?? "").split(";");
	if (!cookie.startsWith("sid=")) throw new Error(`${email} couldn't sign in: ${response.status}`);
	return cookie;
}

/** Runs `npm start` with the demo fleet in a temporary folder while something uses it. */
async function withSite(folder: string, use: (site: Site) => Promise<Finding[]>) {
	const port = await freePort();
	const server = spawn(process.execPath, ["tools/run.mjs", "start"], {
		env: { ...process.env, PORT: String(port), MILEPOST_STATE: join(folder, "state") },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	let faults = 0;
	const ready = new Promise<void>((resolve, reject) => {
		server.stdout.setEncoding("utf8").on("data", (text: string) => {
			if (/"level":"error"/.test(text)) {
				faults += text.split('"level":"error"').length - 1;
				console.log(text.slice(0, 2000));
			}
			said = (said + text).slice(-2000);
			if (said.includes("Milepost is running at")) resolve();
		});
		server.once("exit", () => reject(new Error(`npm start ended:\n${said}`)));
	});
	try {
		await ready;
		const origin = `http://localhost:${port}`;
		const cookies = {
			driver: await cookieOf(origin, PEOPLE.driver),
			administrator: await cookieOf(origin, PEOPLE.administrator),
		};
		const findings = await use({ origin, cookies });
		return [...findings, mustBeZero("scans", 1, "errors that the Worker logged", faults)];
	} finally {
		server.kill("SIGTERM");
	}
}

/** A program's output, until it ends or runs out of time. */
function runFor(command: string, args: readonly string[], seconds: number): Promise<string> {
	return new Promise((resolve) => {
		const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
		let text = "";
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding("utf8").on("data", (more: string) => {
				text += more;
			});
		const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
		child.once("close", () => {
			clearTimeout(timer);
			resolve(text);
		});
	});
}

const isInstalled = (command: string) => spawnSync("which", [command]).status === 0;
const missing = (command: string): Finding[] => [
	{
		tried: command,
		times: 0,
		what: `not installed: apt-get install ${command}`,
		figure: "missing",
		must: "installed",
		isMet: false,
	},
];

async function sqlmap({ origin, cookies }: Site, folder: string): Promise<Finding[]> {
	if (!isInstalled("sqlmap")) return missing("sqlmap");
	const findings: Finding[] = [];
	for (const by of SCANNERS) {
		const end = performance.now() + minutes * 60_000;
		const mine = TARGETS.filter((target) => target.by === by);
		let [finished, parameters, injectable] = [0, 0, 0];
		for (const [place, target] of mine.entries()) {
			const left = (end - performance.now()) / 1000;
			if (left < 1) break;
			const file = join(folder, `${by}-${place}.txt`);
			writeFileSync(file, requestFile(target, origin, cookies[by]));
			const told = await runFor(
				"sqlmap",
				[
					...["-r", file, "--ignore-stdin", "--batch", "--answers", "follow=N", "--flush-session"],
					...["--disable-coloring", "--random-agent", "--threads", "4"],
					...["--level", "2", "--risk", "1", "--technique", "BEU", "--dbms", "SQLite"],
					...["--ignore-code", "*", "--skip", "Cookie,User-Agent,Referer,Host,Origin"],
					...["--timeout", "20", "--retries", "1", "--output-dir", join(folder, "sqlmap")],
				],
				Math.min(left, (minutes * 60) / 3),
			);
			if (told.includes("[*] ending")) finished += 1;
			parameters += new Set(told.match(/parameter '[^']+' does not seem to be injectable/g)).size;
			const found = told.match(/^.*(identified the following injection|is vulnerable).*$/gm) ?? [];
			injectable += found.length;
			for (const line of found) console.log(`${target.path}: ${line}`);
			console.log(`sqlmap, ${by}: ${target.path}`);
		}
		const tried = `parameters of sqlmap as ${by}`;
		findings.push(mustBeZero(tried, parameters, "injectable", injectable), {
			tried,
			times: parameters,
			what: "requests finished",
			figure: `${finished} of ${mine.length}`,
			must: "some",
			isMet: parameters > 0,
		});
	}
	return findings;
}

type Report = Readonly<
	Record<
		"vulnerabilities" | "anomalies",
		Readonly<Record<string, readonly { method: string; path: string; info: string }[]>>
	> & { infos: { crawled_pages_nbr?: number } }
>;

/** What wapiti's modules find; its requests go through a proxy that is signed in. */
async function wapiti({ origin, cookies }: Site, folder: string): Promise<Finding[]> {
	if (!isInstalled("wapiti")) return missing("wapiti");
	const findings: Finding[] = [];
	for (const by of SCANNERS) {
		const out = join(folder, `wapiti-${by}.json`);
		const store = join(folder, `wapiti-${by}`);
		mkdirSync(store);
		const proxy = await openProxy(origin, cookies[by]);
		const seconds = minutes * 60;
		const told = await runFor(
			"wapiti",
			[
				...["-u", `${proxy.origin}/`, "-m", MODULES, "-l", "1"],
				...["-d", "3", "--max-files-per-dir", "10", "--max-links-per-page", "40"],
				...["--max-scan-time", String(seconds / 4), "--flush-session", "--no-bugreport"],
				...["--max-attack-time", String(seconds / 16), "-t", "20", "--verify-ssl", "0"],
				...["--store-session", store, "--store-config", store, "-f", "json", "-o", out],
			],
			seconds * 2,
		);
		proxy.close();
		if (!existsSync(out)) throw new Error(`wapiti left no report:\n${told.slice(-1500)}`);
		const { vulnerabilities, anomalies, infos } = JSON.parse(readFileSync(out, "utf8")) as Report;
		const found = Object.entries({ ...vulnerabilities, ...anomalies })
			.flatMap(([what, list]) =>
				list.map((each) => `${what}: ${each.method} ${each.path}: ${each.info}`),
			)
			.filter((line) => !ACCEPTED.test(line));
		for (const line of new Set(found)) console.log(line);
		console.log(`wapiti, ${by}: ${infos.crawled_pages_nbr ?? "some"} pages`);
		const tried = `requests of wapiti as ${by}`;
		findings.push(mustBeZero(tried, proxy.requests(), "findings", new Set(found).size));
	}
	return findings;
}

/** Known vulnerabilities in the packages of a release, and in all installed ones. */
function audit(): Finding[] {
	return [["--omit=dev"], []].map((more) => {
		const { stdout } = spawnSync("npm", ["audit", "--json", ...more], { encoding: "utf8" });
		const told = JSON.parse(stdout);
		const { total, ...levels } = told.metadata?.vulnerabilities ?? {};
		if (total === undefined) throw new Error(`npm audit didn't answer: ${told.message}`);
		const all = told.metadata.dependencies.total;
		console.log(`npm audit ${more.join(" ")}: ${JSON.stringify(levels)}`);
		for (const [name, { severity }] of Object.entries<{ severity: string }>(told.vulnerabilities))
			console.log(`  ${severity}: ${name}`);
		const what = more.length > 0 ? "packages of a release" : "all packages";
		return mustBeZero(what, all, "with a known vulnerability", total);
	});
}

const folder = mkdtempSync(join(tmpdir(), "milepost-scan-"));
const parts: Readonly<Record<string, () => Promise<Finding[]> | Finding[]>> = {
	sqlmap: () => withSite(join(folder, "1"), (site) => sqlmap(site, folder)),
	wapiti: () => withSite(join(folder, "2"), (site) => wapiti(site, folder)),
	audit,
};
const names = positionals.length > 0 ? positionals : Object.keys(parts);
const rows: Row[] = [];
try {
	for (const name of names) {
		const run = parts[name];
		if (!run) throw new Error(`There is no ${name}: choose from ${Object.keys(parts).join(", ")}`);
		console.log(`\n== ${name}`);
		rows.push(...(await run()).map((finding) => ({ part: name, ...finding })));
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${formatTable(rows)}`);
if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
