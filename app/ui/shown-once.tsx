import type { ReactNode } from "react";
import { Alert, AlertDescription } from "./primitives/alert.tsx";

/** A token or a secret, which is only on the page that made it. */
export function ShownOnce({
	what,
	text,
	children,
}: {
	what: "token" | "secret";
	text: string;
	children: ReactNode;
}) {
	return (
		<Alert variant="info" id="made" takesFocus>
			<p>Copy this {what} now. It isn't shown again.</p>
			<p>
				<code className="wrap-anywhere" id={what}>
					{text}
				</code>
			</p>
			<AlertDescription>{children}</AlertDescription>
		</Alert>
	);
}
