/**
 * The local sign-in, which accepts any email. It exists only on a developer's machine and isn't in
 * the production bundle.
 */
import { useForm } from "@conform-to/react";
import * as v from "valibot";
import type { LocalSignInProps } from "../auth/local-sign-in/handlers.server.ts";
import { PERSON_FIELDS } from "../domain/people/fields.ts";
import { email } from "../domain/people/input.ts";
import { constraintOf } from "./forms/constraint.ts";
import { TextField } from "./forms/fields.tsx";
import { Alert } from "./primitives/alert.tsx";
import { Button, ButtonLink } from "./primitives/button.tsx";
import { Card } from "./primitives/card.tsx";
import { Standalone } from "./standalone.tsx";

const addressInput = v.object({ email });

export function LocalSignIn({ accounts, providers, returnTo, typed, error }: LocalSignInProps) {
	const [, fields] = useForm<Record<"email", string>>({
		id: "sign-in",
		lastResult: error ? { initialValue: { email: typed ?? "" }, error: { email: [error] } } : null,
		constraint: constraintOf(addressInput),
		defaultNoValidate: false,
	});
	const back = <input type="hidden" name="returnTo" value={returnTo} />;
	return (
		<Standalone title="Sign in on this machine" icon="road">
			<Alert variant="info">
				Local sign-in: any email, no password. Not part of the production build.
			</Alert>
			<Card>
				<form method="post" action="/api/login" className="grid gap-4">
					<TextField
						field={fields.email}
						label={PERSON_FIELDS.email.label}
						type="email"
						autoComplete="email"
						isCheckedByBrowser
					/>
					{back}
					<Button pending="Signing in..." size="wide">
						Sign In
					</Button>
				</form>
			</Card>
			{accounts.length > 0 ? (
				<section aria-labelledby="accounts" className="grid gap-3">
					<h2 id="accounts" className="text-lg font-semibold">
						Demo accounts
					</h2>
					<ul className="grid gap-2">
						{accounts.map((account) => (
							<li key={account.email}>
								<form method="post" action="/api/login">
									<input type="hidden" name="email" value={account.email} />
									{back}
									<Button
										variant="outline"
										pending="Signing in..."
										className="h-auto w-full justify-between py-2 text-start"
									>
										<span className="grid min-w-0">
											<span className="wrap-anywhere">{account.name}</span>
											{account.name === account.email ? null : (
												<span className="truncate text-sm font-normal text-quiet">
													{account.email}
												</span>
											)}
										</span>
										<span className="text-end text-sm font-normal text-quiet">
											{account.standing}
										</span>
									</Button>
								</form>
							</li>
						))}
					</ul>
				</section>
			) : null}
			{providers.map(({ id, name }) => (
				<ButtonLink
					key={id}
					variant="outline"
					href={`/api/login?provider=${id}&returnTo=${encodeURIComponent(returnTo)}`}
				>
					Continue with {name}
				</ButtonLink>
			))}
		</Standalone>
	);
}
