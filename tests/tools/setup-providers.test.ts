/** Providers are stored only if people can sign in with each of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { signInsAt } from "../../tools/deploy-smoke-test.ts";
import { providersFault } from "../../tools/setup-providers.ts";
import { openDiscovery } from "../support/discovery.ts";

const folder = mkdtempSync(join(tmpdir(), "milepost-providers-"));
const path = join(folder, "providers.json");
const right = await openDiscovery();
const other = await openDiscovery((issuer) => ({ issuer: `${issuer}/` }));
const unsafe = await openDiscovery(() => ({ token_endpoint: "http://a.example/token" }));
afterAll(() => {
	for (const each of [right, other, unsafe]) each.close();
	rmSync(folder, { recursive: true, force: true });
});
const said = vi.spyOn(console, "log").mockImplementation(() => undefined);
afterEach(() => said.mockClear());

const a = { id: "a", name: "A", issuer: right.issuer, clientId: "a", trustsEmail: true };
const faultOf = (file: string | readonly object[]) => {
	writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
	return providersFault(path);
};

it("says of each provider that answers that it does", async () => {
	expect(await faultOf([a, { ...a, id: "b", name: "B" }])).toBeUndefined();
	expect(said.mock.calls.flat()).toEqual([
		`A: ${right.issuer} answers as it should.`,
		`B: ${right.issuer} answers as it should.`,
	]);
});

it.each<[string, string | readonly object[], string]>([
	["a missing comma", '[{"id":"a" "name":"A"}]', "OIDC_PROVIDERS isn't valid JSON"],
	["an unknown key", [{ ...a, secret: "s" }], "provider 1: secret: this key isn't known"],
	["a missing key", [{ ...a, issuer: undefined }], "provider 1: issuer: it is missing"],
	["an address without https", [{ ...a, issuer: "http://a.example" }], "must use https"],
	[
		"a client id that is still the example's",
		[{ ...a, clientId: "..." }],
		'A: its clientId is still "..."',
	],
	["another realm", [{ ...a, issuer: `${right.issuer}/realm` }], "/realm: discovery returned 404"],
	["a slash too few", [{ ...a, issuer: other.issuer }], "names a different issuer"],
	["an unsafe endpoint", [{ ...a, issuer: unsafe.issuer }], "has an unsafe token_endpoint"],
	["an address where nothing is", [{ ...a, issuer: "http://127.0.0.1:1" }], "can't be reached"],
])("refuses %s", async (_, file, words) => {
	const fault = await faultOf(file);
	expect(fault?.slice(0, path.length + 2)).toBe(`${path}: `);
	expect(fault).toContain(words);
	expect(fault).not.toMatch(/\n|OIDC_PROVIDERS: OIDC/);
});

it("names only the one that is wrong, and a file that isn't there", async () => {
	const fault = await faultOf([a, { ...a, id: "b", name: "B", issuer: other.issuer }]);
	expect(fault).toBe(
		`${path}: B: ${other.issuer}: the discovery document names a different issuer`,
	);
	expect(said.mock.calls.flat()).toEqual([`A: ${right.issuer} answers as it should.`]);
	expect(await providersFault(join(folder, "none.json"))).toBe(
		`${join(folder, "none.json")} can't be read (ENOENT)`,
	);
});

it("a checkup begins a sign-in at each provider, and follows none", async () => {
	const health = { status: "ok", database: "ok", receipts: "ok", schema: null };
	const links = '<a href="/api/login?provider=a&amp;returnTo=%2F">A</a>';
	const to = (Location: string) => new Response(null, { status: 302, headers: { Location } });
	const answers = new Map<string, Response | (() => Response)>();
	const site = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
		const answer = answers.get(String(url).replace("https://fleet.example.com", ""));
		return typeof answer === "function"
			? answer()
			: (answer ?? new Response(null, { status: 404 }));
	});
	try {
		answers.set("/healthz", () => Response.json(health));
		answers.set("/api/login", () => new Response(links));
		answers.set("/api/login?provider=a", () => to("https://a.example/auth?state=1"));
		const ask = () => signInsAt("https://fleet.example.com");
		expect(await ask()).toEqual({ hosts: ["a.example"] });
		answers.set("/api/login?provider=a", () => new Response(null, { status: 503 }));
		expect(await ask()).toBe("/api/login?provider=a answers 503");
		answers.set("/healthz", () =>
			Response.json({ ...health, wrongSettings: ["OIDC_PROVIDERS"] }, { status: 503 }),
		);
		expect(await ask()).toBe("these settings are wrong: OIDC_PROVIDERS");
	} finally {
		site.mockRestore();
	}
});
