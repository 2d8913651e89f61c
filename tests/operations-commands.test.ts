/** docs/operations.md names commands and switches that are there. */
import { existsSync, readFileSync } from "node:fs";
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
