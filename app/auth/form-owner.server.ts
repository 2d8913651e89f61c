/** Phones are shared, so a form may only be sent by the account it was filled in under. */
import type { AuthenticatedContext } from "../domain/context.ts";
import { isAmbiguous, textField } from "../http/form.server.ts";
import { wrongAccount } from "../http/outbox.server.ts";
import { apiRefusal, refusal } from "../http/refusal.ts";
import { OTHER_ACCOUNT } from "../messages.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Compares the `asUser` that a form carries with the session.
 * @throws a 409 when they differ, and a 400 when its owner or key is repeated, before anything else
 * is read from it or written; a form that says nothing is the session's
 */
export async function checkSender(
	context: RequestContext,
	{ user }: Pick<AuthenticatedContext, "user">,
): Promise<void> {
	for (const name of ["asUser", "key"])
		if (await isAmbiguous(context, name)) {
			const message = `The field ${name} must be sent once, as text.`;
			if (context.rule.kind === "api")
				throw apiRefusal(400, message, { [name]: ["must be sent once, as text"] });
			throw refusal({ kind: "bad-request", message }, 400);
		}
	const asUser = await textField(context, "asUser");
	if (asUser === "" || asUser === user.id) return;
	context.isOtherAccounts = true;
	if (context.rule.kind === "api") throw wrongAccount();
	throw refusal({ kind: "bad-request", message: OTHER_ACCOUNT }, 409);
}
