/** How the ride platforms are called, on screen and on the wire. */
import type { Platform } from "./statement.ts";

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = { uber: "Uber", bolt: "Bolt" };
/** The same, by what is stored. */
export const PLATFORM_LABELS: Readonly<Record<string, string>> = {
	...PLATFORM_NAMES,
	columns: "Other files",
};
