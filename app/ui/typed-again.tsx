/** What was typed into a form that could not be taken, ready to be sent again: nothing typed is lost to a lapsed session or a database that is down. */
import type { Typed } from "../http/refusal.ts";
import { PlainField } from "./forms/plain-fields.tsx";
import { Button } from "./primitives/button.tsx";
import { Input } from "./primitives/input.tsx";
import { Textarea } from "./primitives/textarea.tsx";

/** Fields that steer a form and mean nothing to a person. */
const STEERING = new Set([
	"key",
	"asUser",
	"intent",
	"id",
	"ids",
	"status",
	"confirm",
	"correctsId",
	"driverId",
	"driverSearched",
	"csv",
	"fileName",
	"returnTo",
	"isActive",
	"replacesId",
	"receiptUrl",
]);

/** What a form's own labels say, where the name alone would not. */
const LABELS: Readonly<Record<string, string>> = {
	startOdometer: "Starting Odometer",
	endOdometer: "Ending Odometer",
	type: "Request Type",
	firstName: "First Name",
	lastName: "Last Name",
};

/** A larger form than this fits into a post only as one with files does. */
const LARGE = 30_000;

const words = (name: string) => {
	const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
	if (label) return label;
	const spaced = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
	return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

export function TypedAgain({ typed, button }: { typed: Typed; button: string }) {
	const isLarge = typed.fields.reduce((size, [, value]) => size + value.length, 0) > LARGE;
	return (
		<form method="post" action={typed.action} {...(isLarge ? { encType: "multipart/form-data" } : {})} className="grid gap-4">
			{typed.fields.map(([name, value], position) => {
				const id = `typed-${position}`;
				if (STEERING.has(name) || name.endsWith("Column")) return <input key={id} type="hidden" name={name} value={value} />;
				return (
					<PlainField key={id} id={id} label={words(name)}>
						{(control) =>
							value.length > 60 || value.includes("\n") ? (
								<Textarea {...control} name={name} defaultValue={value} />
							) : (
								<Input {...control} name={name} defaultValue={value} />
							)
						}
					</PlainField>
				);
			})}
			{typed.hadFile ? <p>The file was left out. Choose it again once this is sent.</p> : null}
			<Button pending="Sending..." width="full">
				{button}
			</Button>
		</form>
	);
}
