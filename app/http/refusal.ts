/**
 * Permission refusals: thrown by the guard and shown by the boundary in root.tsx. A refusal
 * contains only what its screen shows.
 */

import type { SubmissionResult } from "@conform-to/react";
import { json } from "@remix-run/cloudflare";
import type { Toast } from "../messages.ts";
import type { RefusalAnswer } from "../values/outcome.ts";

/** A refused form's names and values in order, for resending. */
export type TypedForm = {
	readonly action: string;
	readonly fields: readonly (readonly [name: string, value: string])[];
	/** Whether it had a file, which a page can't keep. */
	readonly hadFile: boolean;
};

/** What a gate screen shows about its driver. */
export type GatedDriver = {
	readonly id: string;
	readonly gate: "incomplete" | "pending" | "rejected";
	readonly firstName: string;
	readonly lastName: string;
	readonly email: string;
	/** `YYYY-MM-DD` of the application, in the fleet's time zone. */
	readonly appliedOn: string;
};

export type GateRefusal = {
	readonly kind: "gate";
	readonly driver: GatedDriver;
	readonly form?: SubmissionResult;
	readonly toast?: Toast;
};

export type Refusal =
	| { readonly kind: "sign-in"; readonly returnTo: string; readonly typed?: TypedForm }
	| { readonly kind: "deactivated"; readonly typed?: TypedForm }
	| GateRefusal
	| {
			readonly kind: "access-denied";
			/** Whose portal it is shown in. */
			readonly viewer: {
				readonly id: string;
				readonly role: "driver" | "viewer";
				readonly firstName: string;
				readonly lastName: string;
			};
	  }
	| { readonly kind: "forbidden"; readonly message: string }
	| {
			readonly kind: "not-found";
			/** Whether the person is signed in with a role that has no pages. */
			readonly hasNoRole?: boolean;
	  }
	| { readonly kind: "bad-request"; readonly message: string; readonly typed?: TypedForm }
	| {
			readonly kind: "unavailable";
			readonly message?: string;
			readonly typed?: TypedForm;
			readonly toast?: Toast;
	  }
	| { readonly kind: "sign-in-failed"; readonly message: string };

/** The response a loader or an action throws to refuse with a screen. */
export function refusal(body: Refusal, status: number, headers?: HeadersInit): Response {
	return json(body, { status, ...(headers ? { headers } : {}) });
}

/**
 * The response an API route throws or returns to refuse: `{"message": "..."}` (docs/product.md,
 * 'The JSON API').
 */
export function apiRefusal(
	status: number,
	message: string,
	fields?: Readonly<Record<string, readonly string[]>>,
	headers?: HeadersInit,
): Response {
	return json(
		{ message, ...(fields ? { fields } : {}) },
		{ status, ...(headers ? { headers } : {}) },
	);
}

/** The answer to an API request or a phone's outbox when a command refuses. */
export function refusedCall({
	status,
	message,
	field,
	requests,
	settlements,
	retryAfter,
	reason,
}: RefusalAnswer): Response {
	const fields = field === undefined ? {} : { fields: { [field]: [message] } };
	const headers =
		retryAfter === undefined ? {} : { headers: { "Retry-After": String(retryAfter) } };
	const more = {
		...(requests ? { requests } : {}),
		...(settlements ? { settlements } : {}),
		...(reason ? { reason } : {}),
	};
	return json({ message, ...fields, ...more }, { status, ...headers });
}
