/** `/`: the landing screen, the driver's dashboard or the fleet's overview. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { inPortal } from "../../auth/guard.server.ts";
import { FLEET, totalsOf } from "../../domain/analytics/queries.server.ts";
import { feeCents, NOTHING } from "../../domain/analytics/rules.ts";
import { applicationCount, driverCount } from "../../domain/drivers/queries.server.ts";
import { Landing } from "../../ui/landing.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { StatCard, Stats } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { showDate } from "../../values/calendar-date.ts";
import { showMiles } from "../../values/miles.ts";
import { dollars } from "../../values/money.ts";
import { dashboardFrom, dashboardStatements } from "./driver-dashboard.server.ts";
import { DriverDashboard } from "./driver-dashboard.tsx";

export const handle = {
	title: (data: unknown) =>
		({ visitor: "", driver: "Driver Dashboard", admin: "Fleet Overview" })[(data as Awaited<ReturnType<typeof loader>>).kind],
};

export async function loader(args: LoaderFunctionArgs) {
	const { today } = args.context;
	const home = await inPortal(
		args,
		({ build }) => ({
			drivers: driverCount(build),
			applications: applicationCount(build),
			ever: totalsOf(build, FLEET),
		}),
		dashboardStatements,
	);
	if (home.kind === "visitor") return { kind: "visitor" as const, isDeactivated: home.isDeactivated };
	if (home.kind === "driver")
		return { kind: "driver" as const, viewer: viewerOf(home.driver), today, dashboard: dashboardFrom(home.answers, home.driver) };
	const ever = home.answers.ever[0] ?? NOTHING;
	return {
		kind: "admin" as const,
		viewer: viewerOf(home.admin),
		today,
		drivers: home.answers.drivers[0]?.count ?? 0,
		applications: home.answers.applications[0]?.count ?? 0,
		requests: ever.pendingRequests,
		feeCents: feeCents(ever),
		miles: ever.miles,
	};
}

type Data = Awaited<ReturnType<typeof loader>>;

export default function Home() {
	const data = useLoaderData() as Data;
	if (data.kind === "visitor") return <Landing isDeactivated={data.isDeactivated} />;
	return data.kind === "driver" ? <DriverDashboard {...data} /> : <FleetOverview {...data} />;
}

function FleetOverview({ viewer, today, drivers, applications, requests, feeCents, miles }: Extract<Data, { kind: "admin" }>) {
	return (
		<Portal viewer={viewer} current="/" title="Fleet Overview" subtitle={`Week of ${showDate(today)}`}>
			<Stats>
				<StatCard label="Total Drivers" value={String(drivers)} note="active and approved" />
				<StatCard label="Pending Requests" value={String(requests)} note="waiting for a decision" />
				<StatCard label="Total Uber Fees" value={dollars(feeCents)} note="all time" />
				<StatCard label="Total Miles" value={showMiles(miles)} note="all time" />
				<StatCard label="Pending Applications" value={String(applications)} note="waiting for a decision" />
			</Stats>
			<ButtonLink href="/drivers" width="full" className="justify-self-start">
				Driver Management
			</ButtonLink>
		</Portal>
	);
}
