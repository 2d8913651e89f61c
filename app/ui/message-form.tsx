/** Writes a message into a thread, without a script. */
import { MESSAGE_FIELDS } from "../domain/messages/fields.ts";
import type { Toast } from "../messages.ts";
import { PlainField } from "./forms/plain-fields.tsx";
import { Button } from "./primitives/button.tsx";
import { Textarea } from "./primitives/textarea.tsx";

/** A message that wasn't stored, as it was typed. */
export type RefusedMessage = {
	readonly status: number;
	readonly retryAfter?: number | undefined;
	readonly toast: Toast;
	readonly message: { readonly text: string; readonly problem: string };
};

/**
 * @param sendKey sent twice, still one message
 * @param failed what was sent before, and why it was refused
 */
export function MessageForm({
	action,
	sendKey,
	hint,
	button,
	failed,
}: {
	action: string;
	sendKey: string;
	hint: string;
	button: string;
	failed: RefusedMessage["message"] | undefined;
}) {
	return (
		<form
			method="post"
			action={action}
			autoComplete="off"
			className="grid max-w-md gap-3 print:hidden"
		>
			<input type="hidden" name="intent" value="write" />
			<input type="hidden" name="key" value={sendKey} />
			<PlainField
				id="message"
				label={MESSAGE_FIELDS.text.label}
				hint={hint}
				errors={failed && [failed.problem]}
			>
				{(control) => (
					<Textarea
						{...control}
						name="text"
						required
						maxLength={1000}
						defaultValue={failed?.text}
					/>
				)}
			</PlainField>
			<Button variant="outline" size="wide" pending="Sending..." className="justify-self-start">
				{button}
			</Button>
		</form>
	);
}
