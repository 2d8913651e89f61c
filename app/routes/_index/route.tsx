/** `/`: the landing screen, the driver's dashboard or the fleet's overview. */

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requirePortal } from "../../auth/guard.server.ts";
import { publicUnits } from "../../auth/public-units.server.ts";
import { Landing } from "../../ui/landing.tsx";
import { useView } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import { dashboardFrom, dashboardStatements } from "./driver-dashboard.server.ts";
import { DriverDashboard } from "./driver-dashboard.tsx";

/** The overview, loaded with an administrator's or accountant's first visit: drivers never need it. */
let overview: typeof import("./fleet-overview.tsx") | undefined;
async function loadOverview() {
	const [view, screen] = await Promise.all([
		import("./fleet-overview.server.ts"),
		import("./fleet-overview.tsx"),
	]);
	overview = screen;
	return view;
}

export const handle = {
	title: (data: unknown) =>
		({ visitor: "", driver: "Driver Dashboard", office: "Fleet Overview" })[
			(data as Awaited<ReturnType<typeof loader>>).kind
		],
};

export async function loader(args: LoaderFunctionArgs) {
	const { today } = args.context;
	const home = await requirePortal(
		args,
		async ({ today }) => (await loadOverview()).overviewStatements(today),
		dashboardStatements,
	);
	if (home.kind === "visitor") {
		await publicUnits(args.context);
		return { kind: "visitor" as const, isDeactivated: home.isDeactivated };
	}
	if (home.kind === "driver")
		return {
			kind: "driver" as const,
			viewer: toViewer(home.driver),
			today,
			dashboard: dashboardFrom(home.answers, home.driver),
		};
	const { overviewView } = await loadOverview();
	return {
		kind: "office" as const,
		viewer: toViewer(home.reader),
		today,
		...(await overviewView(home.reader, home.answers, args.context.settings)),
	};
}

type Data = Awaited<ReturnType<typeof loader>>;

export default function Home() {
	const data = useView<Data>();
	if (data.kind === "visitor") return <Landing isDeactivated={data.isDeactivated} />;
	if (data.kind === "driver") return <DriverDashboard {...data} />;
	return overview ? <overview.FleetOverview {...data} /> : null;
}
