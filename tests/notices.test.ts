/** The notices list every package whose code or fonts a release contains. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bundle } from "../tools/bundle.ts";
import { packagesOf } from "../tools/bundled-packages.ts";
import { buildNotices, NOTICES } from "../tools/third-party.ts";

it("the notices print the license of every bundled package; npm run notices writes them", async () => {
	await bundle("production");
	const bundled = packagesOf("build/production");
	// Of each build one: the Worker, the browser's modules, the service worker, the fonts.
	for (const name of ["drizzle-orm", "react-dom", "idb", "dejavu-fonts-ttf"]) {
		expect(bundled).toContain(`node_modules/${name}`);
	}
	const { text, packages } = buildNotices("build/production");
	expect(readFileSync(NOTICES, "utf8")).toBe(text);
	expect(
		packages.filter(({ text }) => !/copyright|\(c\)/i.test(text)).map(({ title }) => title),
	).toEqual([]);
});
