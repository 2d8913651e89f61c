/** The names of the ride platforms, on screen and in JSON. */
import type { Platform } from "./statement.ts";

/** Null for files with custom columns. */
export const PLATFORM_NAMES: Readonly<Record<Platform, string | null>> = {
	uber: "Uber",
	bolt: "Bolt",
	columns: null,
};
/** A stored platform's label. */
export const platformLabel = (platform: string): string =>
	PLATFORM_NAMES[platform as Platform] ?? "Other files";
