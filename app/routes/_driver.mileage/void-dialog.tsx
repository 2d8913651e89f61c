/** Asks before an entry is voided. */
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import { countMiles, formatMiles } from "../../values/miles.ts";
import type { MileageData } from "./view.server.ts";

/** @param here the URL without the dialog */
export function VoidDialog({
	entry,
	here,
}: {
	entry: NonNullable<MileageData["voiding"]>;
	here: string;
}) {
	const close = `${here}#log-${entry.id}`;
	return (
		<UrlDialog id="void" title="Void this entry?" back={close}>
			<p>{`${formatDate(entry.drivenOn)}: ${formatMiles(entry.startMiles)} to ${formatMiles(entry.endMiles)}, ${countMiles(entry.miles)}.`}</p>
			<p className="text-quiet">
				It stays in your history but isn't counted. To change a reading, choose Correct instead.
			</p>
			<DialogForm
				dialog="void"
				action={here}
				hidden={{ intent: "void", id: entry.id }}
				submit={{ label: "Void entry", pending: "Voiding...", variant: "destructive" }}
			/>
		</UrlDialog>
	);
}
