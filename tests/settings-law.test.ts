/** Settings that are stated twice agree. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from "../app/http/security.server.ts";
import { settingsIn } from "../tools/local-worker.ts";
import { readConfig } from "../tools/wrangler-config.ts";
import { all, everyNode } from "./support/sources.ts";

/** wrangler.toml with what it only offers in comments switched on, as an operator would. */
function readWithOffers(toml: string) {
	const folder = mkdtempSync(join(tmpdir(), "milepost-offers-"));
	try {
		const path = join(folder, "wrangler.toml");
		writeFileSync(path, toml.replaceAll(OFFER, ""));
		return readConfig(path);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
/** What an environment binds and sets, and which of it must be its own. */
function boundIn(env: "" | "staging") {
	const config = readConfig("wrangler.toml", env);
	const places = [
		config.name,
		...config.d1_databases.map((each) => each.database_name),
		...config.r2_buckets.map((each) => each.bucket_name),
		...config.ratelimits.map((each) => each.namespace_id),
	];
	const names = [
		...config.d1_databases.map((each) => each.binding),
		...config.r2_buckets.map((each) => each.binding),
		...config.ratelimits.map((each) => each.name),
		...[config.assets?.binding, config.version_metadata?.binding],
		...Object.keys(config.vars),
	];
	return { config, places, names };
}
/** The sign before a setting or a section that is commented out; other comments are prose. */
const OFFER = /^# (?=\w+ = |\[\[?\w+\]\]?$)/gm;

/** The secrets that a comment of wrangler.toml names. */
const secretsIn = (toml: string) =>
	(/^# Secrets: ([A-Z_, ]+)/m.exec(toml)?.[1] ?? "").split(",").map((each) => each.trim());

describe("settings in two places agree", () => {
	it("static files have the headers of the Worker's responses", () => {
		const block =
			readFileSync("public/_headers", "utf8")
				.split(/^(?=\/)/m)
				.find((each) => each.startsWith("/*\n")) ?? "";
		const lines = block
			.split("\n")
			.slice(1)
			.filter((line) => line.trim() !== "")
			.map((line) => /^\s+([^:]+): (.*)$/.exec(line)?.slice(1) ?? []);
		expect(Object.fromEntries(lines)).toEqual({
			...SECURITY_HEADERS,
			"Content-Security-Policy": CONTENT_SECURITY_POLICY,
		});
	});

	it("wrangler.toml binds exactly what Env declares", () => {
		const toml = readFileSync("wrangler.toml", "utf8");
		const config = readWithOffers(toml);
		const bindings = [
			...[
				...[...config.d1_databases, ...config.r2_buckets],
				...[config.assets, config.version_metadata],
				...config.analytics_engine_datasets,
			].map((each) => each?.binding),
			...[...config.ratelimits, ...config.send_email].map(({ name }) => name),
		];
		const named = Object.keys(config.vars);
		const secrets = secretsIn(toml);
		const env = all.find(({ path }) => path === "app/env.server.ts");
		const members: string[] = [];
		if (env)
			everyNode(env.tree, (node) => {
				if (
					ts.isTypeAliasDeclaration(node) &&
					node.name.text === "Env" &&
					ts.isTypeLiteralNode(node.type)
				)
					for (const member of node.type.members) members.push(member.name?.getText() ?? "");
			});
		expect(members.length).toBeGreaterThan(5);
		// Only the local worker sets them: a request's cost isn't public, and the mail provider's
		// address differs only in tests.
		const isLocalOnly = (name: string) => name === "SERVER_TIMING" || name === "MAIL_API_URL";
		expect([...bindings, ...named, ...secrets].sort()).toEqual(
			members.filter((name) => !isLocalOnly(name)).sort(),
		);
	});

	it("npm start takes from the environment whatever wrangler.toml can set, and each folder has its secret", () => {
		const toml = readFileSync("wrangler.toml", "utf8");
		const names = [...Object.keys(readWithOffers(toml).vars), ...secretsIn(toml)];
		expect(names).toContain("ERROR_WEBHOOK");
		const taken = settingsIn(
			Object.fromEntries([...names, "EMAIL", "HOME"].map((name) => [name, "set"])),
		);
		expect(Object.keys(taken).sort()).toEqual(
			names.filter((name) => name !== "COOKIE_SECRET").sort(),
		);
	});

	it("staging has the same bindings and settings as production, and shares no resource", () => {
		const [production, staging] = [boundIn(""), boundIn("staging")];
		expect(staging.names).toEqual(production.names);
		expect(production.places.filter((place) => staging.places.includes(place))).toEqual([]);
		for (const { config } of [production, staging]) {
			expect(config.workers_dev).toBe(false);
			expect(config.upload_source_maps).toBe(true);
			expect(config.limits?.cpu_ms).toBe(60_000);
			expect(config.triggers.crons).toEqual(["* * * * *"]);
			expect(config.observability?.enabled).toBe(true);
		}
	});
});
