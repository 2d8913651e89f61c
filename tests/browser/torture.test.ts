/** The short form of `npm run torture -- offline`. */
import { expect, it } from "vitest";
import { findBrowser } from "../../tools/browser.ts";
import { freePort } from "../../tools/free-port.ts";
import { torture } from "../offline/torture.ts";

it("loses no entry, stores none twice, and keeps what was typed", async () => {
	const { met, ...figures } = await torture({
		submissions: 24,
		seed: 7,
		atOnce: 2,
		chromiumPath: findBrowser(),
		ports: [await freePort(), await freePort()],
		say: () => undefined,
	});
	console.log(`Torture: ${JSON.stringify(figures)} ${JSON.stringify(met)}`);
	expect(figures).toMatchObject({
		submissions: 24,
		lost: 0,
		doubled: 0,
		photosLost: 0,
		typedTextLost: 0,
	});
	expect(figures.withPhotos).toBeGreaterThanOrEqual(8);
	expect(Object.keys(met).length).toBeGreaterThan(4);
}, 240_000);
