/** The names of the ride platforms, on screen and in JSON. */
import type { Platform } from "./statement.ts";

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = { uber: "Uber", bolt: "Bolt" };
/** The same, by the stored value. */
export const PLATFORM_LABELS: Readonly<Record<string, string>> = {
	...PLATFORM_NAMES,
	columns: "Other files",
};
