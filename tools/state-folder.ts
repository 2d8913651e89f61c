/** The folder of a fleet on this machine. */
import { resolve } from "node:path";

/** Where its D1 and R2 are. An empty variable counts as unset: it would mean the current folder. */
export const stateFolder = (): string => resolve(process.env.MILEPOST_STATE || ".milepost");
