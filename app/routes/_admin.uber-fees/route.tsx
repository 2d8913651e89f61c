/** Uber Fee Management (spec §2): what was charged, the form that adds a fee, the list, and the breakdown by category. */

import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import { FLEET, totalsOf } from "../../domain/analytics/queries.server.ts";
import { feeCents, feesOf, NOTHING } from "../../domain/analytics/rules.ts";
import { cursorOf, driverOfFee, listFees, oneFee } from "../../domain/uber-fees/queries.server.ts";
import { categoryWords, FEE_CATEGORIES } from "../../domain/uber-fees/rules.ts";
import { peopleToChoose } from "../../domain/users/choice.server.ts";
import { askedPerson, choiceFrom } from "../../domain/users/choice.ts";
import { fieldOf } from "../../http/form.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton } from "../../ui/primitives/button.tsx";
import { Card, Section, StatCard, Stats } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { showDate } from "../../values/calendar-date.ts";
import { dollars } from "../../values/money.ts";
import { lastMonths } from "../../values/period.ts";
import { addAction, deleteAction, type FeeAnswer } from "./actions.server.ts";
import { listAddress, viewFrom } from "./address.ts";
import { Dialog } from "./dialogs.tsx";
import { Breakdown, Fees } from "./fees.tsx";
import { FeeForm } from "./form.tsx";
import { shownFee, typedFee } from "./row.server.ts";

export const handle = { title: "Uber Fee Management" };

/** Rows on one page. */
const PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
	const { after, dialog, named } = viewFrom(new URL(args.request.url).searchParams);
	const month = lastMonths(args.context.today, 1);
	// After a post the form shows what was posted; otherwise the driver of the fee that it replaces is chosen.
	const asked = askedPerson(args.context.method === "POST" ? await args.context.form() : new URLSearchParams(), "driverId");
	const isReplacing = dialog === undefined && args.context.method !== "POST";
	const { admin, page, one, ever, lately, people } = await asAdmin(args, ({ build }) => ({
		// One more than a page tells whether there is another.
		page: listFees(build, undefined, PAGE + 1, after),
		one: oneFee(build, named),
		ever: totalsOf(build, FLEET),
		lately: totalsOf(build, FLEET, month),
		people: peopleToChoose(build, "activeDrivers", asked, isReplacing ? driverOfFee(named) : undefined),
	}));
	const totals = ever[0] ?? NOTHING;
	const rows = page.slice(0, PAGE);
	const last = rows.at(-1);
	const [found] = one;
	const replaced = dialog ? undefined : found;
	return {
		viewer: viewerOf(admin),
		today: admin.today,
		/** Minted for this rendering of the form: a resend of it is recognised. */
		key: crypto.randomUUID(),
		total: dollars(feeCents(totals)),
		month: { total: dollars(feeCents(lately[0] ?? NOTHING)), from: showDate(month.from), to: showDate(month.to) },
		categories: FEE_CATEGORIES.map((category) => {
			const { cents, entries } = feesOf(totals, category);
			return { category: categoryWords(category), total: dollars(cents), entries };
		}),
		driver: choiceFrom(people, asked),
		replacing: replaced && typedFee(replaced),
		dialog: dialog && found ? { kind: dialog, fee: shownFee(found) } : undefined,
		after,
		rows: rows.map(shownFee),
		nextPage: page.length > PAGE && last ? listAddress(cursorOf(last)) : undefined,
	};
}

export type FeesData = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await asAdmin(args);
	const here = listAddress(viewFrom(new URL(request.url).searchParams).after);
	const answer =
		(await fieldOf(context, "intent")) === "delete" ? await deleteAction(context, admin, here) : await addAction(context, admin);
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function UberFeeManagement() {
	const data = useLoaderData() as FeesData;
	const answer = useActionData() as FeeAnswer | undefined;
	return (
		<Portal viewer={data.viewer} current="/uber-fees" title="Uber Fee Management" toast={answer?.toast}>
			<Stats isWide>
				<StatCard label="Total Uber Fees" value={data.total} note="all time" />
				<StatCard label="This Month" value={data.month.total} note={`${data.month.from} to ${data.month.to}`} />
			</Stats>
			<Section id="add-fee" title="Add Uber Fee">
				<Card>
					<FeeForm data={data} answer={answer} />
				</Card>
			</Section>
			<Section
				id="fees"
				title="Uber Fees"
				actions={
					<GoButton look="plain" href="/uber-fees/import">
						Import a statement
					</GoButton>
				}
			>
				<Fees data={data} />
				<Pages first={data.after && "/uber-fees#fees"} next={data.nextPage && `${data.nextPage}#fees`} />
			</Section>
			<Section id="breakdown" title="Fee Breakdown by Category">
				<Breakdown categories={data.categories} />
			</Section>
			{data.dialog ? <Dialog kind={data.dialog.kind} fee={data.dialog.fee} after={data.after} /> : null}
		</Portal>
	);
}
