/** Log Daily Mileage (docs/product.md §2): the form, and the entries its driver can still mend. */
import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asDriver } from "../../auth/guard.server.ts";
import { checkSender } from "../../auth/sender.server.ts";
import { entriesToMend, lastEnding, ownEntry } from "../../domain/mileage/queries.server.ts";
import { isOwnToMend } from "../../domain/mileage/rules.ts";
import { driverCode } from "../../domain/users/rules.ts";
import { fieldOf } from "../../http/form.server.ts";
import { Card, Section } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { addDays, dateIn } from "../../values/calendar-date.ts";
import { capturedWords } from "../../values/captured.ts";
import { isRowId } from "../../values/row-id.ts";
import { logAction, type MileageAnswer, voidAction } from "./actions.server.ts";
import { Entries } from "./entries.tsx";
import { MileageForm } from "./form.tsx";
import { VoidDialog } from "./void-dialog.tsx";

export const handle = { title: "Log Daily Mileage" };

export async function loader(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const named = query.get(query.get("dialog") === "void" ? "id" : "correct") ?? "";
	const { driver, last, entries, entry } = await asDriver(args, ({ build, me, now }) => ({
		last: lastEnding(build, me),
		entries: entriesToMend(build, me, now),
		entry: ownEntry(build, me, isRowId(named) ? named : ""),
	}));
	const { user, now, timeZone, today } = driver;
	const mendable = entry[0] && isOwnToMend(entry[0], now) ? entry[0] : undefined;
	return {
		viewer: viewerOf(driver),
		today,
		latest: addDays(today, 1),
		driverId: driverCode(user.driverNumber) ?? user.id,
		/** Minted for this rendering of the form: a resend of it is recognised. */
		key: crypto.randomUUID(),
		last: last[0],
		correcting: query.get("dialog") === "void" ? undefined : mendable,
		voiding: query.get("dialog") === "void" ? mendable : undefined,
		entries: entries.map((log) => ({
			...log,
			isMendable: isOwnToMend(log, now),
			captured: log.capturedAt === null ? undefined : capturedWords(timeZone, log.capturedAt, log.createdAt),
			isToday: log.drivenOn === today || dateIn(timeZone, log.createdAt) === today,
		})),
	};
}

export type MileageData = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { driver } = await asDriver(args);
	await checkSender(args.context, driver);
	const answer =
		(await fieldOf(args.context, "intent")) === "void" ? await voidAction(args.context, driver) : await logAction(args.context, driver);
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function LogMileage() {
	const data = useLoaderData() as MileageData;
	const answer = useActionData() as MileageAnswer | undefined;
	const today = data.entries.filter((entry) => entry.isToday);
	const earlier = data.entries.filter((entry) => !entry.isToday);
	return (
		<Portal viewer={data.viewer} current="/mileage" title="Log Daily Mileage" toast={answer?.toast}>
			<Card className="max-w-2xl print:hidden">
				<MileageForm data={data} answer={answer} />
			</Card>
			<Section id="today" title="Today's entries">
				<Entries
					entries={today}
					caption="Today's entries"
					empty="Nothing logged today yet. Fill in the form above to log your first trip."
				/>
			</Section>
			{earlier.length > 0 ? (
				<Section id="earlier" title="Earlier entries you can still correct">
					<Entries entries={earlier} caption="Earlier entries" empty="" />
				</Section>
			) : null}
			{data.voiding ? <VoidDialog entry={data.voiding} /> : null}
		</Portal>
	);
}
