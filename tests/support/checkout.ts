/** A folder that the tools take for the repository, for tests of what writes into it. */
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SHARED = [
	...["app", "public", "tools", "node_modules", "package-lock.json"],
	...["vite.config.ts", "remix.config.js"],
];
const OWN = ["wrangler.toml", "migrations", "build/production"];

/** Makes one, with the production bundle and room beside it; the caller removes both. */
export async function checkOut() {
	const outer = await mkdtemp(join(tmpdir(), "milepost-checkout-"));
	const folder = join(outer, "milepost");
	await mkdir(folder);
	for (const name of SHARED) await symlink(resolve(name), join(folder, name));
	for (const name of OWN) await cp(name, join(folder, name), { recursive: true });
	return { folder, remove: () => rm(outer, { recursive: true, force: true }) };
}
