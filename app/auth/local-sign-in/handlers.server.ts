/** The request handlers of the local sign-in. */
import { json } from "@remix-run/cloudflare";
import * as v from "valibot";
import { getStanding } from "../../domain/kernel/standing.ts";
import { email } from "../../domain/people/input.ts";
import { displayName, normalizeEmail } from "../../domain/people/rules.ts";
import { textField } from "../../http/form.server.ts";
import { safeReturnTo } from "../../routing/return-to.ts";
import type { RequestContext } from "../request-context.ts";
import type { VerifiedIdentity } from "../sign-in.server.ts";
import { LOCAL_ISSUER, localAccountsStatement } from "./accounts.server.ts";

const STANDINGS = {
	none: "No role",
	admin: "Admin",
	viewer: "Accountant",
	incomplete: "Driver, incomplete profile",
	pending: "Driver, pending",
	rejected: "Driver, rejected",
	driver: "Driver",
} as const;

export type LocalAccount = {
	readonly email: string;
	readonly name: string;
	readonly standing: string;
};
export type LocalSignInProps = {
	readonly accounts: readonly LocalAccount[];
	readonly providers: readonly { readonly id: string; readonly name: string }[];
	readonly returnTo: string;
	readonly typed?: string | undefined;
	readonly error?: string | undefined;
};

/** What the screen shows. */
export async function localScreen(
	context: RequestContext,
	returnTo: string,
): Promise<LocalSignInProps> {
	const { accounts } = await context.db.batch({
		accounts: localAccountsStatement(context.db.build),
	});
	return {
		accounts: accounts.map((account) => ({
			email: account.email,
			name: displayName({ ...account }),
			standing: account.isActive ? STANDINGS[getStanding(account)] : "Inactive",
		})),
		providers: context.settings.providers.map(({ id, name }) => ({ id, name })),
		returnTo,
	};
}

/**
 * The identity that was entered.
 * @throws a 400 that shows the form again with what was typed
 */
export async function localIdentity(
	context: RequestContext,
): Promise<{ identity: VerifiedIdentity; returnTo: string } | { invalid: Response }> {
	const typed = await textField(context, "email");
	const returnTo = safeReturnTo(await textField(context, "returnTo"));
	const result = v.safeParse(email, typed);
	const subject = result.success ? normalizeEmail(result.output) : undefined;
	if (!subject)
		return { invalid: json({ typed, error: result.issues?.[0].message ?? "" }, { status: 400 }) };
	return {
		identity: { issuer: LOCAL_ISSUER, subject, email: subject, isEmailProved: true },
		returnTo,
	};
}
