/** A folder that the tools treat as the repository, for testing what they write to it. */
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SHARED = [
	...["app", "public", "tools", "node_modules", "package-lock.json"],
	...["vite.config.ts", "remix.config.js"],
];
const OWN = ["wrangler.toml", "migrations", "build/production"];

/** Creates one with the production bundle, in a new folder; the caller removes it. */
export async function checkOut() {
	const outer = await mkdtemp(join(tmpdir(), "milepost-checkout-"));
	const folder = join(outer, "milepost");
	await mkdir(folder);
	for (const name of SHARED) await symlink(resolve(name), join(folder, name));
	for (const name of OWN) await cp(name, join(folder, name), { recursive: true });
	return { folder, remove: () => rm(outer, { recursive: true, force: true }) };
}
