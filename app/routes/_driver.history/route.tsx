/** History & Reports (docs/product.md §2): a driver's trips and requests of a window, the newest first. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asDriver } from "../../auth/guard.server.ts";
import { viewFrom } from "../../domain/history/rules.ts";
import { Pages } from "../../ui/pages.tsx";
import { Empty } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { Activity } from "./activity.tsx";
import { Filters } from "./filters.tsx";
import { historyFrom, historyStatements } from "./history.server.ts";

export const handle = { title: "History & Reports" };

export async function loader(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const view = viewFrom(new URL(args.request.url).searchParams, today, settings.timeZone);
	const { driver, ...answers } = await asDriver(args, (asking) => historyStatements(asking, view));
	return { viewer: viewerOf(driver), ...historyFrom(answers, view, driver) };
}

export type HistoryData = Awaited<ReturnType<typeof loader>>;

export default function History() {
	const data = useLoaderData() as HistoryData;
	return (
		<Portal viewer={data.viewer} current="/history" title="History & Reports">
			<Filters data={data} />
			{data.items.length > 0 ? <Activity items={data.items} /> : <Empty>No activity found for the selected filters</Empty>}
			<Pages
				first={data.newest === undefined ? undefined : `/history${data.newest}`}
				next={data.older === undefined ? undefined : `/history${data.older}`}
			/>
		</Portal>
	);
}
