/** Files as people have them: put together, corrected, saved again by a spreadsheet. */
import { readFileSync } from "node:fs";

export const fieldFile = (name: string): string =>
	readFileSync(`tests/fixtures/field/${name}`, "utf8");
