/**
 * How much is tested: `usual` is `npm test`, `full` is `npm run test:full`, and without either only
 * what is asked for, once.
 */
export const EXTENT = process.env.MILEPOST_TESTS as "usual" | "full" | undefined;

/** Test files that `npm test` leaves to `npm run test:full`. */
export const NIGHTLY = [
	"tests/http/load-beyond.test.ts",
	"tests/tools/branches.test.ts",
	"tests/tools/start-race.test.ts",
];

/**
 * How often something random is tried: as a variable says, or as `npm test` and `npm run test:full` do.
 */
export const times = (variable: string, usual: number, full: number): number =>
	Number(process.env[variable] || (EXTENT === "full" ? full : usual));
