/**
 * The working day that `npm run neighbors` runs on two releases, run on this one alone so that it
 * keeps working for the next release.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dateIn } from "../../app/values/calendar-date.ts";
import { payOut, playDay } from "../../lab/neighbors/jobs.ts";
import { releaseIn } from "../../lab/neighbors/previous-release.ts";
import type { Tally } from "../../lab/neighbors/visitor.ts";
import { freePort } from "../../tools/free-port.ts";
import { ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ port: await freePort() });

describe("a working day of two releases", () => {
	it("runs on this one without a fault", async () => {
		const tally: Tally = { answers: 0, faults: [] };
		const today = dateIn(ZONE, currentTime());
		const day = { origin: fleet.origin, today, round: 1, tally };
		await playDay(day);
		await payOut(day);
		expect(tally.faults).toEqual([]);
		expect(tally.answers).toBeGreaterThan(60);
	});
});

describe("the previous release", () => {
	it("is the newest that CHANGELOG.md names by its commit", () => {
		expect(releaseIn(readFileSync("CHANGELOG.md", "utf8"))).toEqual({
			version: "0.1.0",
			commit: "4bc260aa7237d722620527a91a0f5bf1f2bfd324",
		});
		expect(() => releaseIn("## Unreleased\n")).toThrow(/gives no release with its commit/);
	});
});
