/** /offline: both driver forms and nobody's data. The service worker keeps this page and shows it where there is no signal. */
import { useSearchParams } from "@remix-run/react";
import { HEADING_PLACE, NOTE_PLACE, NOTES, type Note, TYPED_PLACE } from "../offline/words.ts";
import { Alert } from "../ui/primitives/alert.tsx";
import { Card, Section } from "../ui/primitives/card.tsx";
import { Portal, type Viewer } from "../ui/shell.tsx";
import { MileageForm } from "./_driver.mileage/form.tsx";
import { RequestForm } from "./_driver.requests/form.tsx";

export const handle = { title: "On this phone" };

const NOBODY: Viewer = { id: "", role: "driver", firstName: "", lastName: "" };
const jump = "inline-flex min-h-11 items-center font-semibold text-accent";

export default function Offline() {
	const name = useSearchParams()[0].get("note") ?? "";
	const isTemplate = name === "template";
	const [heading, note] = isTemplate ? [HEADING_PLACE, NOTE_PLACE] : NOTES[Object.hasOwn(NOTES, name) ? (name as Note) : "offline"];
	return (
		<Portal
			viewer={NOBODY}
			current="/offline"
			title={heading}
			notice={
				<Alert tone="info" id="note">
					<p role="status">{note}</p>
				</Alert>
			}
		>
			<p data-typed={isTemplate ? TYPED_PLACE : ""} className="flex flex-wrap gap-x-6">
				<a className={jump} href="#trip">
					Log Daily Mileage
				</a>
				<a className={jump} href="#money">
					Submit New Fund Request
				</a>
			</p>
			<Section id="trip" title="Log Daily Mileage">
				<Card className="max-w-2xl">
					<MileageForm
						data={{ viewer: NOBODY, today: "", latest: "", driverId: "", key: "", last: undefined, correcting: undefined }}
						answer={undefined}
					/>
				</Card>
			</Section>
			<Section id="money" title="Submit New Fund Request">
				<Card className="max-w-2xl">
					<RequestForm data={{ viewer: NOBODY, key: "", correcting: undefined }} answer={undefined} />
				</Card>
			</Section>
		</Portal>
	);
}
