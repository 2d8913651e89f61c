/** How the ride platforms are called, on screen and on the wire. */
import type { Platform } from "./statement.ts";

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = { uber: "Uber", bolt: "Bolt" };
