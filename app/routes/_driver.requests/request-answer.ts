/** What a refused post of this screen leaves for the screen to show. */
import type { SubmissionResult } from "@conform-to/react";
import type { Toast } from "../../messages.ts";

/** What a refused post of this screen answers: the form as typed, and what is wrong with it. */
export type RequestAnswer = {
	readonly status: number;
	/** Absent when the form itself says what is wrong. */
	readonly toast?: Toast;
	readonly form?: SubmissionResult;
	readonly problems?: readonly string[];
	/** What is wrong with the file that came along. */
	readonly fileProblems?: readonly string[];
	/** The form asks about a likely duplicate; this is sent back with the answer. */
	readonly confirm?: string;
	/** What it asks about. */
	readonly question?: string;
	/** The key was used up by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
	/** The request to replace can no longer be replaced. */
	readonly isFresh?: boolean;
	/**
	 * The receipt that is kept for the next try: what the form sends back, and what the file was
	 * called.
	 */
	readonly receipt?: KeptReceipt | undefined;
	/** Adding a receipt to this row failed, and why. */
	readonly row?: { readonly id: string; readonly problem: string };
	/** The answer to a question that was not taken, and why. */
	readonly answer?: {
		readonly id: string;
		readonly text: string;
		readonly problems: { readonly text?: readonly string[]; readonly receipt?: readonly string[] };
	};
};
export type KeptReceipt = { readonly url: string; readonly name: string };
