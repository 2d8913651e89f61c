/** `/`: the landing screen, the driver's dashboard or the fleet's overview. */

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requirePortal } from "../../auth/guard.server.ts";
import { publicUnits } from "../../auth/public-units.server.ts";
import { Landing } from "../../ui/landing.tsx";
import { useView } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import { dashboardFrom, dashboardStatements } from "./driver-dashboard.server.ts";
import { DriverDashboard } from "./driver-dashboard.tsx";
import { firstStepsFrom } from "./first-steps.server.ts";
import { overviewFrom, overviewStatements } from "./fleet-overview.server.ts";
import { FleetOverview } from "./fleet-overview.tsx";

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
		({ today }) => overviewStatements(today),
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
	const overview = await overviewFrom(home.answers, home.reader);
	return {
		kind: "office" as const,
		viewer: toViewer(home.reader),
		today,
		overview,
		firstSteps:
			home.reader.role === "admin"
				? await firstStepsFrom({
						admin: home.reader,
						settings: args.context.settings,
						chosen: home.answers.chosen,
						people: overview.drivers + overview.applications,
						ever: overview.ever,
					})
				: undefined,
	};
}

type Data = Awaited<ReturnType<typeof loader>>;

export default function Home() {
	const data = useView<Data>();
	if (data.kind === "visitor") return <Landing isDeactivated={data.isDeactivated} />;
	return data.kind === "driver" ? <DriverDashboard {...data} /> : <FleetOverview {...data} />;
}
