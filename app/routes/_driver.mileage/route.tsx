/** Log Daily Mileage (docs/product.md §2): the form, and the entries the driver can still edit. */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { checkSender } from "../../auth/form-owner.server.ts";
import { requireDriver } from "../../auth/guard.server.ts";
import { mileageUrl, parsePosition } from "../../domain/mileage/search.ts";
import { textField } from "../../http/form.server.ts";
import { toResponse } from "../../http/intent.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { TooLate } from "../../ui/too-late.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { dayOffAction, logAction, type MileageAnswer, voidAction } from "./actions.server.ts";
import { Entries } from "./entries.tsx";
import { MileageForm } from "./form.tsx";
import { MissingDays } from "./missing-days.tsx";
import { type MileageData, mileageView } from "./view.server.ts";
import { VoidDialog } from "./void-dialog.tsx";

export const handle = { title: "Log Daily Mileage" };

export const loader = mileageView;

export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	await checkSender(args.context, driver);
	const here = mileageUrl(parsePosition(new URL(args.request.url).searchParams));
	const intent = await textField(args.context, "intent");
	if (intent === "day-off") return toResponse(await dayOffAction(args.context, driver));
	const answer =
		intent === "void"
			? await voidAction(args.context, driver, here)
			: await logAction(args.context, driver);
	return toResponse(answer);
}

/** The id of the first list on a page of entries. */
const ENTRIES = "entries";

export default function LogMileage() {
	const data = useView<MileageData>();
	const answer = useAnswer<MileageAnswer>();
	const today = data.entries.filter((entry) => entry.isLoggedToday);
	const earlier = data.entries.filter((entry) => !entry.isLoggedToday);
	const showsToday = today.length > 0 || data.isFirstPage;
	return (
		<Portal viewer={data.viewer} current="/mileage" title="Log Daily Mileage" toast={answer?.toast}>
			<TooLate reason={data.tooLate} />
			<Card className="max-w-2xl print:hidden">
				<MileageForm data={data} answer={answer} />
				<MissingDays days={data.missing} />
			</Card>
			{showsToday ? (
				<Section id={ENTRIES} title="Logged today">
					<Entries
						entries={today}
						caption="Logged today"
						empty="No trips logged today. Use the form above to log one."
					/>
				</Section>
			) : null}
			{earlier.length > 0 ? (
				<Section
					id={showsToday ? "earlier" : ENTRIES}
					title="Earlier entries you can still correct"
				>
					<Entries entries={earlier} caption="Earlier entries" empty="" />
				</Section>
			) : null}
			<Pages
				links={data.pages}
				label="Entries pagination"
				anchor={ENTRIES}
				className="print:hidden"
			/>
			{data.voiding ? <VoidDialog entry={data.voiding} here={data.here} /> : null}
		</Portal>
	);
}
