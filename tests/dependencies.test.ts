/**
 * What is under "dependencies" is what a release carries; everything else only builds or tests it.
 */
import { expect, it } from "vitest";
import { dependencies } from "../package.json";
import { bundle } from "../tools/bundle.ts";
import { packagesOf } from "../tools/bundled-packages.ts";

/** Their types alone are used: they leave nothing in a bundle. */
const TYPES_ONLY = ["@conform-to/react"];

it("every dependency is in the bundle", async () => {
	await bundle("production");
	const bundled = packagesOf("build/production");
	const isIdle = (name: string) =>
		!bundled.includes(`node_modules/${name}`) && !TYPES_ONLY.includes(name);
	expect(Object.keys(dependencies).filter(isIdle)).toEqual([]);
});
