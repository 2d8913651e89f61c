/** History & Reports (spec §2): a driver's trips and requests of a window, the newest first. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asDriver } from "../../auth/guard.server.ts";
import { historyPage } from "../../domain/history/queries.server.ts";
import { merged, queryOf, viewFrom } from "../../domain/history/rules.ts";
import { Pages } from "../../ui/pages.tsx";
import { Empty } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { showDate } from "../../values/calendar-date.ts";
import { Activity } from "./activity.tsx";
import { Filters } from "./filters.tsx";

export const handle = { title: "History & Reports" };

/** Lines on one page. */
const PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const view = viewFrom(new URL(args.request.url).searchParams, today, settings.timeZone);
	const { driver, requests, logs } = await asDriver(args, ({ build, me, timeZone }) =>
		// One more than a page tells whether there is another.
		historyPage(build, me, view, timeZone, PAGE + 1),
	);
	const found = merged(requests, logs, driver.timeZone, PAGE + 1);
	const items = found.slice(0, PAGE);
	const last = items.at(-1);
	const firstPage = queryOf({ ...view, after: undefined });
	return {
		viewer: viewerOf(driver),
		range: view.range,
		type: view.type,
		window: `${showDate(view.period.from)} to ${showDate(view.period.to)}`,
		items,
		exportQuery: firstPage,
		newest: view.after ? firstPage : undefined,
		older: found.length > PAGE && last ? queryOf({ ...view, after: last }) : undefined,
	};
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
