/**
 * Which files of a client build reach browsers. Documents have no client router, so what only a
 * router would load isn't shipped.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const ENTRY = /^entry\.client-.+\.js$/;
/** How built code refers to another file in its folder: by importing or preloading it. */
const NAMED = /(?:\.\/|assets\/)([\w.-]+\.\w+)/g;

/**
 * The files in a build's `assets` that a page can load: the browser's single module with everything
 * it imports, now or later, and what the server itself refers to: style sheets and fonts. The
 * server's own list of route modules is for a client router.
 * @param folder of a build, with `client` and `server` in it
 */
function shippedFiles(folder: string): Set<string> {
	const assets = join(folder, "client", "assets");
	const present = new Set(readdirSync(assets));
	const entry = [...present].find((name) => ENTRY.test(name));
	if (!entry) throw new Error("The client build has no entry.");
	const named = readdirSync(join(folder, "server"), { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".js"))
		.flatMap((path) => [...readFileSync(join(folder, "server", path), "utf8").matchAll(NAMED)])
		.map(([, name = ""]) => name)
		.filter((name) => !name.endsWith(".js"));
	const shipped = new Set<string>();
	const take = (name: string) => {
		if (!present.has(name) || shipped.has(name)) return;
		shipped.add(name);
		if (/\.(js|css)$/.test(name))
			for (const [, next = ""] of readFileSync(join(assets, name), "utf8").matchAll(NAMED))
				take(next);
	};
	for (const name of [entry, ...named]) take(name);
	return shipped;
}

/** Deletes every asset that no page can load. */
export function dropUnshipped(folder: string): void {
	const assets = join(folder, "client", "assets");
	const shipped = shippedFiles(folder);
	for (const name of readdirSync(assets)) if (!shipped.has(name)) rmSync(join(assets, name));
}
