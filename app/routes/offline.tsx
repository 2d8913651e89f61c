/**
 * /offline: both driver forms, without anyone's data. The service worker keeps this page and shows
 * it when there is no signal.
 */

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { publicUnits } from "../auth/public-units.server.ts";
import {
	HEADING_PLACEHOLDER,
	KEY_PLACEHOLDER,
	NOTE_PLACEHOLDER,
	NOTES,
	type Note,
	OWNER_PLACEHOLDER,
	TODAY_PLACEHOLDER,
	TYPED_PLACEHOLDER,
} from "../offline/messages.ts";
import type { Viewer } from "../ui/navigation.tsx";
import { Alert } from "../ui/primitives/alert.tsx";
import { Card } from "../ui/primitives/card.tsx";
import { Section } from "../ui/primitives/section.tsx";
import { Portal } from "../ui/shell.tsx";
import { useView } from "../ui/use-view.ts";
import { MileageForm } from "./_driver.mileage/form.tsx";
import { RequestForm } from "./_driver.requests/form.tsx";

export const handle = { title: "On this phone" };

const NOBODY: Viewer = { id: "", role: "driver", firstName: "", lastName: "" };
const jump = "inline-flex min-h-11 items-center font-semibold text-accent";

/**
 * The page's text and the values of its forms; in the template that a phone keeps, their
 * placeholders.
 */
type OfflineData = {
	readonly words: readonly [heading: string, note: string];
	readonly owner: string;
	readonly keys: readonly [mileage: string, request: string];
	readonly today: string;
	readonly typed: string;
};

const TEMPLATE: OfflineData = {
	words: [HEADING_PLACEHOLDER, NOTE_PLACEHOLDER],
	owner: OWNER_PLACEHOLDER,
	keys: [KEY_PLACEHOLDER, KEY_PLACEHOLDER],
	today: TODAY_PLACEHOLDER,
	typed: TYPED_PLACEHOLDER,
};

export async function loader({ request, context }: LoaderFunctionArgs): Promise<OfflineData> {
	await publicUnits(context);
	const name = new URL(request.url).searchParams.get("note") ?? "";
	if (name === "template") return TEMPLATE;
	return {
		words: NOTES[Object.hasOwn(NOTES, name) ? (name as Note) : "offline"],
		owner: "",
		keys: [crypto.randomUUID(), crypto.randomUUID()],
		today: context.today,
		typed: "",
	};
}

export default function Offline() {
	const { words, owner, keys, today, typed } = useView<OfflineData>();
	const viewer = { ...NOBODY, id: owner };
	const [heading, note] = words;
	return (
		<Portal
			viewer={NOBODY}
			current="/offline"
			title={heading}
			notice={
				<Alert variant="info" id="note">
					<p role="status">{note}</p>
				</Alert>
			}
		>
			<p data-typed={typed} className="flex flex-wrap gap-x-6">
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
						data={{
							viewer,
							today,
							latest: "",
							driverId: "",
							key: keys[0],
							last: undefined,
							purposes: [],
							chosen: undefined,
							correcting: undefined,
							here: "/mileage",
						}}
						answer={undefined}
						isOnlyForm={false}
					/>
				</Card>
			</Section>
			<Section id="money" title="Submit New Fund Request">
				<Card className="max-w-2xl">
					<RequestForm
						data={{ viewer, key: keys[1], correcting: undefined, prefill: undefined }}
						answer={undefined}
					/>
				</Card>
			</Section>
		</Portal>
	);
}
