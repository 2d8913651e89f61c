/** The short form of `npm run torture -- starts`. */
import { expect, it } from "vitest";
import { raceStarts } from "../startup/race.ts";

it("has an administrator and the demo fleet, however early people sign in", async () => {
	const figures = await raceStarts(4);
	expect(figures).toMatchObject({
		starts: 4,
		withAdministrator: 4,
		withDemoFleet: 4,
		otherAnswers: {},
	});
	expect(figures.signIns).toBeGreaterThan(4);
});
