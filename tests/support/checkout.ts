/** A folder that looks to the tools like the repository, for what writes into it. */
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SHARED = [
	...["app", "public", "tools", "node_modules", "package-lock.json"],
	...["vite.config.ts", "remix.config.js"],
];
const OWN = ["wrangler.toml", "migrations", "build/production"];

/** Makes one, with the production bundle; the caller removes it. */
export async function checkOut() {
	const folder = await mkdtemp(join(tmpdir(), "milepost-checkout-"));
	for (const name of SHARED) await symlink(resolve(name), join(folder, name));
	for (const name of OWN) await cp(name, join(folder, name), { recursive: true });
	return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
