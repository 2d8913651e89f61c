/**
 * `npm run bench -- release`: the CPU that a request takes, next to the previous release, by its
 * commit in CHANGELOG.md, in alternation on the same rows. Builds that release, which needs git
 * with its history, and npm.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { costMeter } from "../measure.ts";
import { buildPreviousRelease } from "../neighbors/previous-release.ts";
import { compare, type Measured, SUBJECTS } from "./cpu.ts";
import { openSite } from "./site.ts";
import type { Figure } from "./table.ts";

/** A release's Worker, and a function that sends it requests as one of the cast. */
async function openRelease(built?: string) {
	const site = await openSite({ hasFleet: true, ...(built ? { built } : {}) });
	const cost = costMeter();
	const cookies = { dana: await site.signIn("dana"), ada: await site.signIn("ada") };
	const measured = (who: "dana" | "ada", path: string): Measured => ({
		cost,
		ask: () => fetch(site.origin + path, { headers: { Cookie: cookies[who] } }),
	});
	return { measured, close: () => site.worker.dispose() };
}

/** An answer's bytes, uncompressed: a page that shows more takes more. */
const sizeOf = async ({ ask }: Measured) => (await (await ask()).arrayBuffer()).byteLength;

/** Needs Linux's /proc. */
export async function benchRelease(): Promise<readonly Figure[]> {
	const scratch = mkdtempSync(join(tmpdir(), "milepost-release-"));
	try {
		const release = await buildPreviousRelease(scratch);
		const previous = await openRelease(join(release.folder, "build"));
		const current = await openRelease();
		const figures: Figure[] = [];
		for (const { who, path } of SUBJECTS) {
			const found = await compare(previous.measured(who, path), current.measured(who, path));
			const what = `${path}, ${who === "ada" ? "administrator" : "driver"}`;
			const before = await sizeOf(previous.measured(who, path));
			const now = await sizeOf(current.measured(who, path));
			figures.push(
				{ what: `${what}, ${release.version}`, figure: found.bare, unit: "ms" },
				{ what: `${what}, now`, figure: found.milliseconds, unit: "ms" },
				{ what: `${what}, CPU beside ${release.version}`, figure: found.ratio, unit: "x" },
				{ what: `${what}, bytes beside ${release.version}`, figure: now / before, unit: "x" },
			);
			console.log(
				`${what}: ${found.milliseconds.toFixed(2)} ms beside ${found.bare.toFixed(2)} of ${release.version}, ${found.ratio.toFixed(2)}x; ${now} bytes beside ${before}`,
			);
		}
		await current.close();
		await previous.close();
		return figures;
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}
