import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filesAt, HOURS } from "./tests/support/clock-hours.ts";
import { EXTENT, NIGHTLY } from "./tests/support/extent.ts";

/** A fresh object each time: Vitest takes the entries out of the one it is given. */
const define = () => ({ __LOCAL_SIGN_IN__: "true", __SERVICE_WORKER__: '""' });
const project = (name: string, include: string[], more: object = {}) => ({
	define: define(),
	// What is waited for comes when it comes: a busy machine is no fault of the product.
	// Files share their worker's modules, which halves the time; nothing in them outlives its file.
	test: {
		name,
		include,
		exclude: EXTENT === "usual" ? NIGHTLY : [],
		environment: "node" as const,
		setupFiles: ["tools/miniflare-wait.ts"],
		isolate: false,
		expect: { poll: { timeout: 30_000 } },
		...more,
	},
});

/** Browsers of the tests live in it; the tests themselves run in UTC, as the Worker does. */
const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The pure tests come last, so that all workers end together: their files take seconds. */
class ShortLast extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isShort = ({ project }: TestSpecification) => Number(project.name === "pure");
		return (await super.sort(files)).sort((one, other) => isShort(one) - isShort(other));
	}
}

/**
 * The levels of CONTRIBUTING.md, 'Tests'. Four workers keep two cores busy, since tests wait for
 * workerd, for a browser, and for what a phone waits for.
 */
export default defineConfig({
	define: define(),
	test: {
		maxWorkers: 4,
		sequence: { sequencer: ShortLast },
		projects: [
			project("pure", ["app/**/*.test.{ts,tsx}"], {
				exclude: ["app/**/*.server.test.ts"],
				testTimeout: 30_000,
			}),
			project("law", ["tests/*.test.ts"], { testTimeout: 120_000, hookTimeout: 120_000 }),
			project("tools", ["tests/tools/**/*.test.ts"], {
				testTimeout: 180_000,
				hookTimeout: 120_000,
			}),
			project("domain", ["app/**/*.server.test.ts"], {
				testTimeout: 180_000,
				hookTimeout: 120_000,
			}),
			project("http", ["tests/http/**/*.test.ts"], { testTimeout: 600_000, hookTimeout: 120_000 }),
			project("browser", ["tests/browser/**/*.test.ts"], {
				testTimeout: 240_000,
				hookTimeout: 120_000,
				env: { MILEPOST_MACHINE_ZONE: machineZone },
			}),
			// Needs LibreOffice: `npm run check:office`.
			...(process.env.MILEPOST_OFFICE
				? [
						project("office", ["lab/office/**/*.test.ts"], {
							testTimeout: 600_000,
							hookTimeout: 300_000,
						}),
					]
				: []),
			// Plays in a browser that npm can't fetch: `npm run test:browsers`.
			...(process.env.MILEPOST_W3M
				? [
						project("w3m", ["lab/w3m/**/*.test.ts"], {
							testTimeout: 240_000,
							hookTimeout: 120_000,
						}),
					]
				: []),
			...HOURS.filter((hour) => filesAt(hour).length > 0).map((hour) =>
				project(`http ${hour.name} in ${hour.zone}`, filesAt(hour), {
					testTimeout: 600_000,
					hookTimeout: 120_000,
					env: { MILEPOST_CLOCK: hour.start, MILEPOST_WORKER_ZONE: hour.zone },
				}),
			),
		],
	},
});
