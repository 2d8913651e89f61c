/** A Worker whose clock is ahead of the machine's, so that a run can happen at any time. */
import { join } from "node:path";

type Module = {
	readonly type: "ESModule";
	readonly path: string;
	readonly contents?: string;
};

/** The request header that moves the clock further. */
export const CLOCK_HEADER = "X-Test-Clock";

const clock = (offset: number) => `const Machine = Date;
let further = 0;
export const moveFurther = (milliseconds) => { further = milliseconds; };
globalThis.Date = class Date extends Machine {
	constructor(...parts) {
		super(...(parts.length === 0 ? [Date.now()] : parts));
	}
	static now() {
		return Machine.now() + ${offset} + further;
	}
};`;

const ENTRY = `import { moveFurther } from "./move-clock.js";
import worker from "./index.js";
export default {
	...worker,
	fetch(request, ...rest) {
		moveFurther(Number(request.headers.get("${CLOCK_HEADER}")));
		return worker.fetch(request, ...rest);
	},
};`;

/**
 * A Worker's modules behind one that shifts its clock before anything else runs.
 * @param modules the main one first
 * @param offset milliseconds
 */
export function withMovableClock(
	root: string,
	[main, ...others]: readonly Module[],
	offset: number,
): Module[] {
	if (!main) throw new Error("the Worker has no main module");
	return [
		{ type: "ESModule", path: join(root, "moved.js"), contents: ENTRY },
		{ type: "ESModule", path: join(root, "move-clock.js"), contents: clock(offset) },
		main,
		...others,
	];
}
