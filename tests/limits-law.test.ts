/**
 * Whatever someone can repeat and that leaves a row, a file or an entry of the audit has a limit,
 * and docs/security.md lists each of them.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CHANGES_PER_HOUR, LIMITS, type LimitName } from "../app/domain/kernel/limits.ts";
import { type PrincipalKind, verdictFor } from "../app/routing/permissions.ts";
import { type Method, ROUTES, type RouteRule } from "../app/routing/routes.ts";

/** The methods of a line that change something, or whose files are audited. */
const writesOf = ({ methods, noPrefetch }: RouteRule) =>
	(Object.keys(methods) as Method[]).filter((method) => method !== "GET" || noPrefetch);
const writing = ROUTES.filter((rule) => writesOf(rule).length > 0);

it("has a limit for every route that writes, and for no other", () => {
	expect(writing.length).toBeGreaterThan(40);
	expect(ROUTES.filter(({ limits }) => limits !== undefined)).toEqual(writing);
});

it("has no limit that no route uses", () => {
	const used = new Set<string>(writing.flatMap(({ limits }) => limits ?? []));
	expect([...used].sort()).toEqual(Object.keys(LIMITS).sort());
});

it("counts the changes of whoever can sign in", () => {
	const own: readonly LimitName[] = [
		"receipts",
		"sign-ins",
		"callbacks",
		"sign-outs",
		"email events",
		"policy reports",
	];
	const uncounted = writing.filter(({ limits = [] }) => !(limits as string[]).includes("changes"));
	for (const { path, limits = [] } of uncounted)
		expect(own, path).toEqual(expect.arrayContaining([...limits]));
});

const WHO: Readonly<Record<PrincipalKind, string>> = {
	visitor: "anyone",
	none: "",
	admin: "administrators",
	viewer: "accountants",
	incomplete: "applicants",
	pending: "applicants",
	rejected: "",
	driver: "drivers",
	// They may nothing that their owners may not.
	readToken: "",
	importToken: "",
	writeToken: "",
};
function whoMay(rule: RouteRule): string {
	const kinds = (Object.keys(WHO) as PrincipalKind[]).filter((kind) =>
		writesOf(rule).some((method) => {
			const audience = rule.methods[method];
			return audience !== undefined && verdictFor(audience, kind) === "allow";
		}),
	);
	if (kinds.includes("visitor")) return WHO.visitor;
	return [...new Set(kinds.map((kind) => WHO[kind]))].filter(Boolean).join(", ");
}

/** Lines of a table in docs/security.md: who, their limits, and the requests. */
function tableOfWrites(): string[] {
	const lines = new Map<string, string[]>();
	for (const rule of writing) {
		const key = `| ${whoMay(rule)} | ${(rule.limits ?? []).join(", ")} |`;
		const request = `\`${writesOf(rule).join("/")} ${rule.path}\``;
		lines.set(key, [...(lines.get(key) ?? []), request]);
	}
	return [...lines].map(([key, requests]) => `${key} ${requests.join(", ")} |`);
}

function tableOfLimits(): string[] {
	const { gated, driver, viewer, admin } = CHANGES_PER_HOUR;
	expect(viewer).toBe(driver);
	const all = `${driver.toLocaleString("en-US")} an hour for each driver or accountant, ${admin.toLocaleString("en-US")} for each administrator, ${gated} for anyone else`;
	return Object.entries(LIMITS).map(([name, limit]) => {
		const count = "count" in limit ? `${limit.count} ` : "";
		const words = name === "changes" ? all : `${count}${limit.per}`;
		return `| ${name} | ${words} | ${limit.counted} |`;
	});
}

it("is told in docs/security.md, request by request", () => {
	const told = readFileSync("docs/security.md", "utf8");
	const section = told.split("## Everything that can be repeated")[1]?.split("\n## ")[0] ?? "";
	const rows = section.split("\n").filter((line) => /^\| (?!limit|who)/.test(line));
	expect(rows).toEqual([...tableOfLimits(), ...tableOfWrites()]);
});
