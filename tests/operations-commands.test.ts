/** docs/operations.md names commands and switches that are there. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const manual = readFileSync("docs/operations.md", "utf8");
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
	scripts: Record<string, string>;
};
const commands = [...manual.matchAll(/npm run ([\w:-]+)([^`\n]*)/g)].map(
	([command, name = "", rest = ""]) => ({
		command,
		name,
		switches: [...rest.replace(/#.*$/, "").matchAll(/--([a-z][\w-]*)/g)].map(
			([, each = ""]) => each,
		),
	}),
);

it("each npm run of it is a script, whose tool knows the switches", () => {
	expect(commands.length).toBeGreaterThan(20);
	for (const { command, name, switches } of commands) {
		expect(Object.keys(scripts), command).toContain(name);
		const path = `tools/${name}.ts`;
		if (!existsSync(path)) continue;
		const tool = readFileSync(path, "utf8");
		for (const each of switches)
			expect(new RegExp(`(^|\\s|\\{)"?${each}"?:|--${each}\\b`, "m").test(tool), command).toBe(
				true,
			);
	}
});

const wranglers = new Map<string, Set<string>>();
for (const [, words = "", rest = ""] of manual.matchAll(
	/npx wrangler ((?:[a-z][a-z0-9-]*(?: (?=[a-z]))?)+)([^`\n]*)/g,
)) {
	// What is left of the words after the command are names of ours, such as a database's.
	const depth = words.startsWith("d1 time-travel") ? 3 : 2;
	const path = words.split(" ").slice(0, depth);
	const name = words.startsWith("rollback") ? "rollback" : path.join(" ");
	const switches = wranglers.get(name) ?? new Set<string>();
	for (const [, each = ""] of rest.matchAll(/--([a-z][\w-]*)/g)) switches.add(each);
	wranglers.set(name, switches);
}

it("each npx wrangler of it is a command of the wrangler that is installed", async () => {
	expect([...wranglers.keys()].sort()).toEqual([
		...["d1 time-travel restore", "deployments list", "rollback", "secret put"],
	]);
	for (const [name, switches] of wranglers) {
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["node_modules/wrangler/bin/wrangler.js", ...name.split(" "), "--help"],
			{ env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" } },
		);
		expect(stdout, name).toContain(`wrangler ${name}`);
		for (const each of switches) expect(stdout, `${name} --${each}`).toContain(`--${each}`);
	}
});
