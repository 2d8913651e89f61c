/** What a refused form of this screen answers. */
import type { Toast } from "../../messages.ts";

export type ImportAnswer = {
	readonly status: number;
	readonly toast?: Toast;
	/** What is wrong with the file or the request. */
	readonly problem?: string;
	/** Seconds until it can be tried again. */
	readonly retryAfter?: number;
};
