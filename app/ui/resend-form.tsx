/**
 * What was typed into a form that couldn't be accepted, ready to be sent again: no text is lost to
 * an expired session or a database that is down.
 */
import type { TypedForm } from "../http/refusal.ts";
import { isCalendarDate } from "../values/calendar-date.ts";
import { PlainField } from "./forms/plain-fields.tsx";
import { Button } from "./primitives/button.tsx";
import { Input } from "./primitives/input.tsx";
import { NativeSelect } from "./primitives/native-select.tsx";
import { Textarea } from "./primitives/textarea.tsx";
import { choicesOf } from "./resend-choices.ts";
import { fieldsOf, formPath } from "./typed-fields.ts";

/** A form larger than this can only be posted in the encoding for files. */
const LARGE = 30_000;
/** What a form with a file calls it: a statement's, and any other. */
const STATEMENTS = "/uber-fees/import";
const fileFieldOf = (path: string) =>
	path === STATEMENTS ? { name: "file", label: "CSV file" } : { name: "receipt", label: "Receipt" };

export function ResendForm({ typed }: { typed: TypedForm }) {
	const path = formPath(typed);
	const known = fieldsOf(path);
	const isLarge = typed.fields.reduce((size, [, value]) => size + value.length, 0) > LARGE;
	const file = typed.hadFile ? fileFieldOf(path) : undefined;
	return (
		<form
			method="post"
			action={typed.action}
			{...(isLarge || file ? { encType: "multipart/form-data" } : {})}
			className="grid gap-4"
		>
			{typed.fields.map(([name, value], position) => {
				const id = `typed-${position}`;
				const field = known.get(name);
				if (!field) return <input key={id} type="hidden" name={name} value={value} />;
				const choices = choicesOf(path, name, value);
				return (
					<PlainField key={id} id={id} label={field.label}>
						{(control) =>
							choices ? (
								<NativeSelect {...control} name={name} defaultValue={value}>
									{Object.entries(choices).map(([each, words]) => (
										<option key={each} value={each}>
											{words}
										</option>
									))}
								</NativeSelect>
							) : value.length > 60 || value.includes("\n") ? (
								<Textarea {...control} name={name} defaultValue={value} />
							) : (
								<Input
									{...control}
									// A date field would drop anything else that was typed.
									type={field.kind === "date" && isCalendarDate(value) ? "date" : "text"}
									inputMode={field.keyboard}
									name={name}
									defaultValue={value}
								/>
							)
						}
					</PlainField>
				);
			})}
			{file ? (
				<PlainField
					id="typed-file"
					label={file.label}
					hint="The file wasn't included. Choose it again."
				>
					{(control) => <Input type="file" {...control} name={file.name} />}
				</PlainField>
			) : null}
			<Button pending="Sending..." size="wide">
				Send again
			</Button>
		</form>
	);
}
