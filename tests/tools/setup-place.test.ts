/** Setup never lets data lie elsewhere than where it was told to keep it. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { type AccountApi, CloudflareError } from "../../tools/cloudflare-api.ts";
import type { SetupOptions } from "../../tools/setup-options.ts";
import { setUpPlace } from "../../tools/setup-place.ts";

// A setup that went on would write into it.
const file = readFileSync("wrangler.toml", "utf8");
afterEach(() => {
	if (readFileSync("wrangler.toml", "utf8") !== file) writeFileSync("wrangler.toml", file);
});

const answered = async (_: unknown, given: string | undefined) => given ?? "none";
const options = (jurisdiction: string) =>
	({ remote: true, help: false, archive: false, jurisdiction }) as SetupOptions;

/** An account with a database of the name in wrangler.toml, which is outside every jurisdiction. */
const accountWith = (hasBucket: boolean) =>
	(async (path: string) => {
		if (path.startsWith("/d1/database?")) return [{ uuid: "11", name: "milepost" }];
		if (path === "/d1/database/11") return { uuid: "11" };
		if (path.startsWith("/r2/buckets/") && hasBucket) return { name: "milepost-receipts" };
		throw new CloudflareError("Cloudflare answered 404.", 404);
	}) as AccountApi;

it("refuses a jurisdiction that the database isn't in", async () => {
	await expect(setUpPlace("", accountWith(false), options("eu"), answered)).rejects.toThrow(
		/^milepost exists already, in the jurisdiction none, and not in eu: /,
	);
});

it("refuses another jurisdiction than everything is in, rather than ignore it", async () => {
	await expect(setUpPlace("", accountWith(true), options("eu"), answered)).rejects.toThrow(
		/^The data is already kept in the jurisdiction none, which can't be changed to eu: /,
	);
	expect(await setUpPlace("", accountWith(true), options("none"), answered)).toEqual({
		jurisdiction: undefined,
		location: "auto",
	});
});
