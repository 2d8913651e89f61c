/** The folder of a fleet on this machine. */
import { resolve } from "node:path";

/** Where its D1 and R2 are. A variable that is set to nothing is none: that would be the repository. */
export const stateFolder = (): string => resolve(process.env.MILEPOST_STATE || ".milepost");
