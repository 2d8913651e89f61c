/**
 * Packages that take long to load, and that a tool loads only when it needs them. With `import`,
 * Node would first search their megabytes of CommonJS for the names they export: 0.6 s for Miniflare.
 */
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

export const loadMiniflare = () => load("miniflare") as typeof import("miniflare");
export const loadWrangler = () => load("wrangler") as typeof import("wrangler");
/** The version of wrangler, which takes no time to read. */
export const wranglerVersion = () => load("wrangler/package.json").version as string;
