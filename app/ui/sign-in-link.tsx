/** The way to sign in. */
import type { ComponentProps } from "react";
import { ButtonLink } from "./primitives/button.tsx";

/**
 * 'Sign In' is a button to everyone, and a link to the browser: `form-action 'self'` stops a form
 * that redirects to a provider. The space bar presses it too (page-keys.ts).
 */
export function SignInLink(rest: Omit<ComponentProps<typeof ButtonLink>, "role" | "children">) {
	return (
		<ButtonLink role="button" {...rest}>
			Sign In
		</ButtonLink>
	);
}
