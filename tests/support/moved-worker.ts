/** A Worker whose clock is ahead of the machine's, so that a run can be at any moment. */
import { join } from "node:path";

type Module = {
	readonly type: "ESModule";
	readonly path: string;
	readonly contents?: string;
};

const clock = (offset: number) => `const Machine = Date;
globalThis.Date = class Date extends Machine {
	constructor(...parts) {
		super(...(parts.length === 0 ? [Machine.now() + ${offset}] : parts));
	}
	static now() {
		return Machine.now() + ${offset};
	}
};`;

/**
 * The modules of a Worker behind one that moves its clock before anything else runs.
 * @param modules the main one first
 * @param offset milliseconds
 */
export function withMovedClock(
	root: string,
	[main, ...others]: readonly Module[],
	offset: number,
): Module[] {
	if (!main) throw new Error("a Worker has a main module");
	const entry = `import "./move-clock.js";\nexport { default } from "./index.js";`;
	return [
		{ type: "ESModule", path: join(root, "moved.js"), contents: entry },
		{ type: "ESModule", path: join(root, "move-clock.js"), contents: clock(offset) },
		main,
		...others,
	];
}
