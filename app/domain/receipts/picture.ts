/** What the readers of all three picture formats return. */
import type { Outcome } from "../../values/outcome.ts";
import type { ReceiptRefusal } from "./refusals.ts";

/**
 * A picture without metadata: its bytes, and its size in pixels as stored, before the orientation
 * is applied.
 */
export type Picture = {
	readonly bytes: Uint8Array;
	readonly width: number;
	readonly height: number;
};

export type PictureOutcome = Outcome<Picture, ReceiptRefusal>;
