/**
 * What docs/asvs.md and docs/security.md say about tests is true, and the tree contains no secret.
 * The code is searched for what could mislead a browser or another service.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesUnder } from "./support/sources.ts";

/** The levels of each section's requirements, in order (ASVS 5.0.0). */
const LEVELS = `
1.1 22; 1.2 1111122223; 1.3 112222222223; 1.4 222; 1.5 123; 2.1 122; 2.2 112; 2.3 12223; 2.4 23
3.1 3; 3.2 113; 3.3 12223; 3.4 11222233; 3.5 11122333; 3.6 3; 3.7 22333; 4.1 12233; 4.2 23333
4.3 22; 4.4 1222; 5.1 2; 5.2 112333; 5.3 113; 5.4 222; 6.1 122; 6.2 111111112222; 6.3 11223333
6.4 112233; 6.5 22222333; 6.6 2223; 6.7 33; 6.8 2222; 7.1 222; 7.2 1111; 7.3 22; 7.4 11222
7.5 223; 7.6 22; 8.1 1233; 8.2 1123; 8.3 133; 8.4 23; 9.1 111; 9.2 1222; 10.1 22; 10.2 223
10.3 22223; 10.4 1111122222233333; 10.5 22222; 10.6 22; 10.7 222; 11.1 2233; 11.2 22233
11.3 11233; 11.4 1222; 11.5 23; 11.6 23; 11.7 33; 12.1 12233; 12.2 11; 12.3 22223; 13.1 2333
13.2 222223; 13.3 2233; 13.4 1222233; 14.1 22; 14.2 12223333; 14.3 122; 15.1 12233; 15.2 12233
15.3 1222222; 15.4 3333; 16.1 2; 16.2 22222; 16.3 2222; 16.4 222; 16.5 2223; 17.1 23
17.2 22223333; 17.3 22
`;
const NUMBERS = LEVELS.trim()
	.split(/[;\n]\s*/)
	.flatMap((line) => {
		const [section = "", levels = ""] = line.trim().split(" ");
		return [...levels].map((level, position) => [`${section}.${position + 1}`, level] as const);
	})
	.filter(([, level]) => level !== "3");

const STATUSES = ["met", "reviewed", "platform", "n/a", "deviation"];
const asvs = readFileSync("docs/asvs.md", "utf8");
const rows = [...asvs.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+) \| (\S+) \| (.+) \|$/gm)].map(
	([, number = "", level = "", summary = "", status = "", held = ""]) => ({
		number,
		level,
		summary,
		status,
		held,
	}),
);
/** Tests that a document names: a file, and in quotation marks a test's groups and title. */
const testsIn = (text: string) =>
	[...text.matchAll(/`([\w./-]+\.test\.tsx?)`: "([^"\n]+)"/g)].map(([, file = "", name = ""]) => ({
		file,
		name,
	}));
/** None of these contains anything built, installed or created by a run. */
const FOLDERS = [
	...["app", "docs", "lab", "migrations", "public", "tests", "tools"],
	...[".ci", ".github"],
];
const isIgnored = (name: string) => /^\.(dev\.vars|env|git)$|\.log$/.test(name);
const files = [
	...readdirSync(".", { withFileTypes: true }).flatMap((each) =>
		each.isFile() && !isIgnored(each.name) ? [each.name] : [],
	),
	...FOLDERS.flatMap(filesUnder),
];
const read = (path: string) => readFileSync(path, "utf8");

describe("docs/asvs.md", () => {
	it("has every requirement of levels 1 and 2 once, in order", () => {
		expect(NUMBERS).toHaveLength(253);
		expect(rows.map(({ number, level }) => [number, level])).toEqual(NUMBERS);
	});

	it("gives each a status, and a test or a section for those that are met", () => {
		const unfit = rows.filter(
			({ status, held }) =>
				!STATUSES.includes(status) ||
				(status === "met" && testsIn(held).length === 0 && !/\]\([\w./]+\.md\), '/.test(held)),
		);
		expect(unfit).toEqual([]);
	});

	it("has the right counts", () => {
		for (const status of STATUSES) {
			const count = rows.filter((row) => row.status === status).length;
			expect(asvs).toContain(`**${status}** (${count})`);
		}
	});
});

it.each(["docs/asvs.md", "docs/security.md"])("every test that %s names exists", (document) => {
	const named = testsIn(read(document));
	expect(named.length).toBeGreaterThan(15);
	const wrong = named.filter(
		({ file, name }) =>
			!existsSync(file) || name.split(" > ").some((part) => !read(file).includes(part)),
	);
	expect(wrong).toEqual([]);
});

/** Well-known forms of secrets, of this project's services and of common ones. */
const SECRETS: Readonly<Record<string, RegExp>> = {
	"private key": /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\s*[A-Za-z0-9+/=]{20}/,
	AWS: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
	GitHub: /\b(?:gh[opsur]_[A-Za-z0-9]{36}|github_pat_\w{60,})/,
	GitLab: /\bglpat-[\w-]{20}/,
	npm: /\bnpm_[A-Za-z0-9]{36}\b/,
	Slack: /\bxox[abprs]-[\w-]{20,}|hooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{20,}/,
	Google: /\bAIza[\w-]{35}\b|\bGOCSPX-[\w-]{28}\b/,
	Stripe: /\b[rs]k_live_[A-Za-z0-9]{20,}/,
	Resend: /\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}/,
	"Svix webhook": /\bwhsec_[A-Za-z0-9+/]{32,}/,
	"signed token": /\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}/,
	"a password in an address":
		/\b[a-z][a-z+]+:\/\/[^\s/:@"'`<>{}$]+:[^\s/:@"'`<>{}$]{3,}@[\w.-]+\.[a-z]{2,}/,
	"a secret's value":
		/\b(?:COOKIE_SECRET|CLOUDFLARE_API_TOKEN|MAIL_API_KEY)\s*[=:]\s*["']?[A-Za-z0-9+/_-]{40,}/,
};
const secretsIn = (text: string) =>
	Object.entries(SECRETS).flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));

describe("the tree", () => {
	it("contains no key, token or password of a real service", () => {
		expect(files.length).toBeGreaterThan(800);
		const found = files
			.filter((path) => path !== "package-lock.json")
			.flatMap((path) => secretsIn(readFileSync(path, "latin1")).map((what) => `${path}: ${what}`));
		expect(found).toEqual([]);
	});

	it("would be detected with one", () => {
		const middle = "A".repeat(40);
		const samples = [
			`-----BEGIN RSA PRIVATE ${"KEY"}-----\n${middle}`,
			`${"AKIA"}ABCDEFGHIJKLMNOP`,
			`${"ghp"}_${middle.slice(4)}`,
			`${"glpat"}-${middle}`,
			`${"npm"}_${middle.slice(4)}`,
			`${"xoxb"}-${middle}`,
			`${"AIza"}${middle.slice(5)}`,
			`${"sk_live"}_${middle}`,
			`${"re"}_AAAAAAAA_${middle}`,
			`${"whsec"}_${middle}`,
			`${"eyJ"}${middle}.${"eyJ"}${middle}.${middle}`,
			`${"https"}://me:${middle}@example.com`,
			`COOKIE_SECRET=${middle}`,
		];
		expect(samples.map((sample) => secretsIn(sample).length > 0)).toEqual(samples.map(() => true));
		expect(samples).toHaveLength(Object.keys(SECRETS).length);
	});

	it("contains no file that usually has secrets", () => {
		expect(
			files.filter((path) => /(^|\/)\.(dev\.vars|env)|\.(pem|p12|pfx|key)$/.test(path)),
		).toEqual([]);
	});

	const lock = JSON.parse(read("package-lock.json")) as {
		packages: Record<
			string,
			{ version?: string; resolved?: string; integrity?: string; license?: unknown; dev?: boolean }
		>;
	};
	const packages = Object.entries(lock.packages).filter(([path]) => path !== "");

	it("installs packages only from npm's registry, each with its digest", () => {
		const odd = packages.filter(
			([, { resolved = "https://registry.npmjs.org/", integrity }]) =>
				!integrity?.startsWith("sha512-") || !resolved.startsWith("https://registry.npmjs.org/"),
		);
		expect(odd.map(([path]) => path)).toEqual([]);
	});

	it("uses no package whose license would extend to ours", () => {
		const strict = packages.filter(([, { license }]) =>
			/\b(AGPL|GPL|SSPL|BUSL|Elastic)\b/i.test(String(license ?? "")),
		);
		expect(strict.map(([path]) => path)).toEqual([]);
	});

	it("has no package in a release that may keep an advisory because it only builds or tests", () => {
		const table = read("docs/security.md").split("why it may stay |")[1] ?? "";
		const named = [...table.matchAll(/^\| `([\w-]+)` ([\d.]+)/gm)];
		expect(named.length).toBeGreaterThan(4);
		for (const [, name = "", version = ""] of named) {
			const found = packages.filter(([path]) => path.endsWith(`node_modules/${name}`));
			// One that was updated needs its line no longer.
			expect(found.map(([, entry]) => entry.version)).toContain(version);
			for (const [path, entry] of found) expect(entry.dev, path).toBe(true);
		}
	});

	/** From the table of advisories in docs/security.md: the first version that has the fix. */
	it.each([
		["@remix-run/server-runtime", "2.17.5"],
		["@remix-run/router", "1.23.4"],
		["react-router", "6.30.6"],
		["react-router-dom", "6.30.6"],
		["valibot", "1.2.0"],
		["@conform-to/react", "1.1.1"],
	])("has no %s before %s, as known advisories require", (name, least) => {
		const order = new Intl.Collator("en", { numeric: true });
		const found = packages.filter(
			([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
		);
		expect(found.length).toBeGreaterThan(0);
		for (const [path, { version = "" }] of found)
			expect(order.compare(version, least), `${path} ${version}`).toBeGreaterThanOrEqual(0);
	});
});

const app = files
	.filter((path) => /^app\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
	.map((path) => ({ path, text: read(path) }));
const where = (pattern: RegExp) =>
	app.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe("responses and requests", () => {
	it("requests to other services follow no redirect", () => {
		const calls = app
			.filter(({ path }) => /^app\/(auth|worker|domain|http|routes)\//.test(path))
			.flatMap(({ path, text }) =>
				[...text.matchAll(/(?<![\w.])fetch\(\s*[a-z]\w*,\s*\{[\s\S]*?\n\t*\}\)/g)].map(
					([call]) => ({
						path,
						isBound: call.includes('redirect: "manual"'),
					}),
				),
			);
		expect(calls.map(({ path }) => path).sort()).toEqual([
			"app/auth/openid-provider.server.ts",
			"app/worker/mail-transport.ts",
			"app/worker/report-fault.ts",
			"app/worker/webhook-transport.ts",
		]);
		expect(calls.filter(({ isBound }) => !isBound)).toEqual([]);
	});

	it("share nothing with other origins", () => {
		expect(where(/Access-Control-/i)).toEqual([]);
		expect(read("public/_headers")).not.toMatch(/Access-Control-/i);
	});

	it("evaluates no text as code", () => {
		expect(where(/\beval\s*\(|\bnew Function\b|\b(?:setTimeout|setInterval)\(\s*["'`]/)).toEqual(
			[],
		);
	});
});
