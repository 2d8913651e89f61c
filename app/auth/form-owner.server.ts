/** Phones are shared, so a form may only be sent by the account that filled it in. */
import type { AuthenticatedContext } from "../domain/kernel/context.ts";
import { isAmbiguous, textField } from "../http/form.server.ts";
import { wrongAccount } from "../http/outbox.server.ts";
import { apiRefusal, refusal } from "../http/refusal.ts";
import { OTHER_ACCOUNT } from "../messages.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Compares the `asUser` field of a form with the session. A form without one belongs to the
 * session.
 * @throws a 409 when they differ, or a 400 when the owner or key is repeated, before any other
 * field is read or anything is written
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
	if (!(await isOthers(context, user))) return;
	context.isOtherAccounts = true;
	if (context.rule.kind === "api") throw wrongAccount();
	throw refusal({ kind: "bad-request", message: OTHER_ACCOUNT }, 409);
}

/**
 * Notes that a form from a phone's service worker is another account's, even if the one signed in
 * may not send it: an administrator's 404 says nothing about a driver's entry.
 */
export async function noteOtherAccount(
	{ context, request }: { readonly context: RequestContext; readonly request: Request },
	user: AuthenticatedContext["user"] | undefined,
): Promise<void> {
	const form = context.sent().form;
	if (!user || !form || request.headers.get("Outbox") !== "live") return;
	const asUser = form.get("asUser");
	context.isOtherAccounts = typeof asUser === "string" && asUser !== "" && asUser !== user.id;
}

async function isOthers(context: RequestContext, user: AuthenticatedContext["user"]) {
	const asUser = await textField(context, "asUser");
	return asUser !== "" && asUser !== user.id;
}
