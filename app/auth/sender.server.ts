/** A form belongs to the account it was filled in under: on a shared phone nobody sends another's. */
import { json } from "@remix-run/cloudflare";
import type { DriverContext } from "../domain/context.ts";
import type { RequestContext } from "../http/context.server.ts";
import { fieldOf, isAmbiguous } from "../http/form.server.ts";
import { OTHER_ACCOUNT } from "../messages.ts";
import { callRefusal, refusal } from "./refusal.ts";

/** The answer to a phone: it keeps the entry for its owner. */
export const otherAccount = (): Response => json({ message: OTHER_ACCOUNT, reason: "other-account" }, { status: 409 });

/**
 * Compares the `asUser` that a driver's form carries with the session.
 * @throws a 409 when they differ, and a 400 when the form says twice whose or which one it is, before anything else is read from it or
 * written; a form that says nothing is the session's
 */
export async function checkSender(context: RequestContext, driver: DriverContext): Promise<void> {
	for (const name of ["asUser", "key"])
		if (await isAmbiguous(context, name)) {
			const message = `The field ${name} may be sent once, as text.`;
			if (context.rule.kind === "call") throw callRefusal(400, message, { [name]: ["may be sent once, as text"] });
			throw refusal({ kind: "bad-request", message }, 400);
		}
	const asUser = await fieldOf(context, "asUser");
	if (asUser === "" || asUser === driver.user.id) return;
	context.isOtherAccounts = true;
	if (context.rule.kind === "call") throw otherAccount();
	throw refusal({ kind: "bad-request", message: OTHER_ACCOUNT }, 409);
}
