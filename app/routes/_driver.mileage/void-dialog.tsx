/** Asks before an entry is voided. */
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import { countMiles, formatMiles } from "../../values/miles.ts";
import type { MileageData } from "./view.server.ts";

export function VoidDialog({ entry }: { entry: NonNullable<MileageData["voiding"]> }) {
	const close = `/mileage#log-${entry.id}`;
	return (
		<UrlDialog id="void" title="Void this entry?" back={close}>
			<p>{`${formatDate(entry.drivenOn)}: ${formatMiles(entry.startMiles)} to ${formatMiles(entry.endMiles)}, ${countMiles(entry.miles)}.`}</p>
			<p className="text-quiet">
				It stays in your history but isn't counted. To change a reading, choose Correct instead.
			</p>
			<DialogForm
				dialog="void"
				action="/mileage"
				hidden={{ intent: "void", id: entry.id }}
				submit={{ label: "Void entry", pending: "Voiding...", variant: "destructive" }}
			/>
		</UrlDialog>
	);
}
