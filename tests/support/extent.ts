/**
 * How much is tested: `usual` is `npm test`, `full` is `npm run test:full`, and without either only
 * what is requested, once.
 */
export const EXTENT = process.env.MILEPOST_TESTS as "usual" | "full" | undefined;

/** Test files that `npm test` leaves to `npm run test:full`. */
export const NIGHTLY = [
	"tests/http/large-statement.test.ts",
	"tests/http/load-beyond.test.ts",
	"tests/tools/branches.test.ts",
	"tests/tools/exports-meanwhile.test.ts",
	"tests/tools/operations.test.ts",
	"tests/tools/start-race.test.ts",
];

/**
 * Of things that show nearly the same: one in `many`, or all in `npm run test:full`.
 * @param first where to start; if it varies, each is tried somewhere
 */
export const oneIn = <Item>(many: number, items: readonly Item[], first = 0): readonly Item[] =>
	EXTENT === "full" ? items : items.filter((_, at) => (at + first) % many === 0);

/**
 * How often something random is tried: as a variable says, or as `npm test` and `npm run test:full` do.
 */
export const times = (variable: string, usual: number, full: number): number =>
	Number(process.env[variable] || (EXTENT === "full" ? full : usual));

/** A flow without JavaScript and with it: the usual one, or both in `npm run test:full`. */
export const scripts = (usual: "without JavaScript" | "with JavaScript") =>
	oneIn(
		2,
		[
			["without JavaScript", false],
			["with JavaScript", true],
		] as const,
		Number(usual === "with JavaScript"),
	);
