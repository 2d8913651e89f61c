/** Uber Fee Management (docs/product.md §2): what was charged, the form that adds a fee, the list, and the breakdown by category. */

import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import { cursorOf, driverOfFee, listFees, oneFee } from "../../domain/uber-fees/queries.server.ts";
import { peopleToChoose } from "../../domain/users/choice.server.ts";
import { askedPerson, choiceFrom } from "../../domain/users/choice.ts";
import { fieldOf } from "../../http/form.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton } from "../../ui/primitives/button.tsx";
import { Card, Section, StatCard, Stats } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { addAction, deleteAction, type FeeAnswer } from "./actions.server.ts";
import { listAddress, viewFrom } from "./address.ts";
import { Dialog } from "./dialogs.tsx";
import { Breakdown, Fees } from "./fees.tsx";
import { figureStatements, figuresFrom } from "./figures.server.ts";
import { FeeForm } from "./form.tsx";
import { shownFee, typedFee } from "./row.server.ts";

export const handle = { title: "Uber Fee Management" };

/** Rows on one page. */
const PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
	const { after, dialog, named } = viewFrom(new URL(args.request.url).searchParams);
	// After a post the form shows what was posted; otherwise the driver of the fee that it replaces is chosen.
	const asked = askedPerson(args.context.method === "POST" ? await args.context.form() : new URLSearchParams(), "driverId");
	const isReplacing = dialog === undefined && args.context.method !== "POST";
	const { admin, page, one, people, ...totals } = await asAdmin(args, ({ build, today }) => ({
		// One more than a page tells whether there is another.
		page: listFees(build, undefined, PAGE + 1, after),
		one: oneFee(build, named),
		...figureStatements({ build, today }),
		people: peopleToChoose(build, "activeDrivers", asked, isReplacing ? driverOfFee(named) : undefined),
	}));
	const rows = page.slice(0, PAGE);
	const last = rows.at(-1);
	const [found] = one;
	const replaced = dialog ? undefined : found;
	return {
		viewer: viewerOf(admin),
		today: admin.today,
		/** Minted for this rendering of the form: a resend of it is recognised. */
		key: crypto.randomUUID(),
		...figuresFrom(totals, admin),
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
