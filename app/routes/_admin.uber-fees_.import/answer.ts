/** What a refused form of this screen answers. */
import type { Toast } from "../../messages.ts";
import type { PreviewView } from "./preview.server.ts";

/** The answers in a refused form about a statement, as they were sent. */
export type TypedAnswers = {
	/** By what the platform's drivers are remembered by; the id is '' if a text was typed. */
	readonly drivers: readonly {
		readonly identity: string;
		readonly id: string;
		readonly text: string;
	}[];
	readonly from: string;
	readonly to: string;
	readonly overlap: boolean;
	readonly currency: boolean;
};

export type ImportAnswer = {
	readonly status: number;
	readonly toast?: Toast;
	/** What is wrong with the file or the request. */
	readonly problem?: string;
	/** Seconds until it can be tried again. */
	readonly retryAfter?: number;
	readonly preview?: PreviewView;
	readonly typed?: TypedAnswers;
};
