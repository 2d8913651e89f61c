/** What a refused post of this screen leaves for the screen to show. */
import type { SubmissionResult } from "@conform-to/react";
import type { Toast } from "../../messages.ts";

/** What a refused post of this screen answers: the form as typed, with its errors. */
export type RequestAnswer = {
	readonly status: number;
	/** Absent if the form itself shows the errors. */
	readonly toast?: Toast;
	readonly form?: SubmissionResult;
	readonly problems?: readonly string[];
	/** The error of the file that came along. */
	readonly fileProblems?: readonly string[];
	/** The form asks about a likely duplicate; this is sent back with the answer. */
	readonly confirm?: string;
	/** What it asks about. */
	readonly question?: string;
	/** The key was used by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
	/** The request to replace can no longer be replaced. */
	readonly isFresh?: boolean;
	/**
	 * The receipt that is kept for the next attempt: what the form sends back, and the file's name.
	 */
	readonly receipt?: KeptReceipt | undefined;
	/** Adding a receipt to this row failed, and why. */
	readonly row?: { readonly id: string; readonly problem: string };
	/** The refused answer to a question, and why. */
	readonly answer?: {
		readonly id: string;
		readonly text: string;
		readonly problems: { readonly text?: readonly string[]; readonly receipt?: readonly string[] };
	};
};
export type KeptReceipt = { readonly url: string; readonly name: string };
