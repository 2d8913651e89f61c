/** What a refused form of this screen answers. */
import type { Toast } from "../../messages.ts";
import type { PreviewView } from "./preview.server.ts";

export type ImportAnswer = {
	readonly status: number;
	readonly toast?: Toast;
	/** What is wrong with the file or the request. */
	readonly problem?: string;
	/** Seconds until it can be tried again. */
	readonly retryAfter?: number;
	readonly preview?: PreviewView;
	/** Why the file wasn't recognized as a platform's statement. */
	readonly unrecognized?: string;
};
