/** What the forms of this screen do. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { makeToken } from "../../domain/tokens/commands/make.server.ts";
import { revokeToken } from "../../domain/tokens/commands/revoke.server.ts";
import { newTokenInput } from "../../domain/tokens/input.ts";
import { whyNotMade, whyNotRevoked } from "../../domain/tokens/refusals.ts";
import { messagesOf, parseForm, textField } from "../../http/form.server.ts";
import { unknownAction } from "../../http/intent.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";

/** What a post answers unless it redirects. */
export type TokensAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** The new token's text: a redirect would have to store it. */
	readonly made?: string;
	readonly form?: SubmissionResult;
	/** The key was used before. */
	readonly needsNewKey?: boolean;
};

/** Handles the posted form, by its intent. */
export async function tokensAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | TokensAnswer> {
	switch (await textField(context, "intent")) {
		case "":
			return make(context, admin);
		case "revoke":
			return revoke(context, admin);
		default:
			throw unknownAction();
	}
}

async function make(context: RequestContext, admin: AdminContext): Promise<TokensAnswer> {
	const submission = await parseForm(context, newTokenInput);
	if (submission.status !== "success") {
		const form = submission.reply();
		return { status: 400, toast: withReason(TOASTS.tokenFailed, messagesOf(form)[0]), form };
	}
	const outcome = await makeToken(admin, submission.value);
	if (outcome.ok) return { status: 200, toast: TOASTS.tokenMade, made: outcome.value.text };
	const { status, message } = whyNotMade(outcome, admin);
	return {
		status,
		toast: withReason(TOASTS.tokenFailed, message),
		form: submission.reply({ formErrors: [message] }),
		needsNewKey: outcome.reason === "made-before" || outcome.reason === "key-reused",
	};
}

async function revoke(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | TokensAnswer> {
	const outcome = await revokeToken(admin, await textField(context, "id"));
	if (outcome.ok)
		return seeOther("/settings/tokens", context.settings, ["tokenRevoked", outcome.value]);
	const { status, message } = whyNotRevoked(outcome, admin);
	if (status === 404) throw refusal({ kind: "not-found" }, 404);
	return { status, toast: withReason(TOASTS.tokenRevocationFailed, message) };
}
