/** Asks why an entry is voided. */
import { useForm } from "@conform-to/react";
import { VOID_FIELDS } from "../../domain/mileage/fields.ts";
import { voidMileageAsAdminInput } from "../../domain/mileage/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import type { VoidAnswer } from "./actions.server.ts";
import type { EntryView } from "./row.server.ts";

/**
 * The URL that opens an entry's dialog and keeps the filters.
 * @param query the page's own query, `` or `?...`
 */
export function voidDialogUrl(query: string, id: string): string {
	return `/mileage-reports${query}${query ? "&" : "?"}dialog=void&id=${id}`;
}

export function VoidDialog({
	entry,
	query,
	answer,
}: {
	entry: EntryView;
	query: string;
	answer: VoidAnswer | undefined;
}) {
	const [, fields] = useForm<Record<keyof typeof VOID_FIELDS, string>>({
		id: "void-entry",
		lastResult: answer?.form ?? null,
		constraint: constraintOf(voidMileageAsAdminInput),
		defaultNoValidate: false,
	});
	const facts = [
		["Driver", `${entry.name}, ${entry.driver}`],
		["Date", entry.date],
		[
			"Readings",
			`${entry.start} to ${entry.end}, ${entry.miles} ${inUnits(entry.miles === "1" ? "mile" : "miles")}`,
		],
		["Logged", entry.logged],
		...(entry.purpose === null ? [] : ([["Purpose", entry.purpose]] as const)),
		...(entry.personal === undefined ? [] : ([["Personal", entry.personal]] as const)),
		["Notes", entry.notes ?? "None"],
		["Flags", entry.flags.join(", ") || "None"],
	] as const;
	return (
		<UrlDialog id="void" title="Void this entry?" back={`/mileage-reports${query}#log-${entry.id}`}>
			<DialogForm
				dialog="void"
				action={voidDialogUrl(query, entry.id)}
				hidden={{ intent: "void", id: entry.id }}
				submit={{ label: "Void entry", pending: "Voiding...", variant: "destructive" }}
			>
				<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 @max-[15rem]:grid-cols-1">
					{facts.map(([name, fact]) => (
						<div key={name} className="contents">
							<dt className="text-quiet">{name}</dt>
							<dd className="wrap-anywhere whitespace-pre-line">{fact}</dd>
						</div>
					))}
				</dl>
				<p className="text-quiet">
					It stays in the history but isn't counted. This can't be undone.
				</p>
				<TextareaField
					field={fields.reason}
					label={VOID_FIELDS.reason.label}
					hint="The driver will see this reason."
				/>
			</DialogForm>
		</UrlDialog>
	);
}
