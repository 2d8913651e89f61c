/** `/`: the landing screen, the driver's dashboard or the fleet's overview. */

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requirePortal } from "../../auth/guard.server.ts";
import { publicUnits } from "../../auth/public-units.server.ts";
import { Landing } from "../../ui/landing.tsx";
import { useView } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import { dashboardFrom, dashboardStatements } from "./driver-dashboard.server.ts";
import { DriverDashboard } from "./driver-dashboard.tsx";

/** Loaded with the first visit of someone who has the overview; drivers never need it. */
let office: typeof import("./office.ts") | undefined;
async function loadOffice() {
	office = await import("./office.ts");
	return office;
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
		async ({ today }) => (await loadOffice()).overviewStatements(today),
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
	const { overviewView } = await loadOffice();
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
	return office ? <office.FleetOverview {...data} /> : null;
}
