/** The short form of `npm run torture -- offline`. */
import { expect, it } from "vitest";
import { half } from "../../lab/torture/plan.ts";
import { findBrowser } from "../../tools/browser.ts";
import { freePort } from "../../tools/free-port.ts";
import { torture } from "../offline/torture.ts";

const SUBMISSIONS = half(24);

it("loses no entry, stores none twice, and keeps what was typed", async () => {
	const { met, ...figures } = await torture({
		submissions: SUBMISSIONS,
		seed: 7,
		atOnce: 2,
		chromiumPath: findBrowser(),
		ports: [await freePort(), await freePort()],
		say: () => undefined,
	});
	console.log(`Torture: ${JSON.stringify(figures)} ${JSON.stringify(met)}`);
	expect(figures).toMatchObject({
		submissions: SUBMISSIONS,
		lost: 0,
		doubled: 0,
		photosLost: 0,
		typedTextLost: 0,
	});
	expect(figures.withPhotos).toBeGreaterThanOrEqual(SUBMISSIONS / 3);
	expect(Object.keys(met).length).toBeGreaterThan(4);
});
