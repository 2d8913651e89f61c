/** `/drivers`: who applies, who drives, who administers. */

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import type { UserRow } from "../../domain/context.ts";
import {
	administrators,
	applicationCount,
	approvedDrivers,
	pendingDrivers,
	personById,
	rejectedDrivers,
} from "../../domain/drivers/queries.server.ts";
import { DRIVERS_PAGE, MOST_PENDING } from "../../domain/drivers/rules.ts";
import { addressOf, parseSearch, withoutDialog } from "../../domain/drivers/search.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer } from "../../ui/use-view.ts";
import { viewerOf } from "../../ui/viewer.ts";
import { pageLinks, pageOf } from "../../values/cursor.ts";
import { changeDrivers, type NotDone } from "./actions.server.ts";
import { DriversDialog } from "./dialogs.tsx";
import { personOf } from "./people.ts";
import { ActiveDrivers, Administrators, Cut, InactiveDrivers, PendingList, RejectedDrivers } from "./tables.tsx";

export const handle = { title: "Driver Management" };

export async function loader(args: LoaderFunctionArgs) {
	const address = parseSearch(new URL(args.request.url).searchParams);
	const { admin, ...read } = await asAdmin(args, ({ build }) => ({
		pendingCount: applicationCount(build),
		pending: pendingDrivers(build, MOST_PENDING),
		// One row more than a page tells whether there is a next one.
		active: approvedDrivers(build, true, DRIVERS_PAGE + 1, address.active),
		inactive: approvedDrivers(build, false, DRIVERS_PAGE + 1, address.inactive),
		rejected: rejectedDrivers(build),
		administrators: administrators(build),
		asked: personById(build, address.id ?? ""),
	}));
	const show = (rows: readonly UserRow[]) => rows.map((user) => personOf(user, admin.timeZone, admin.now));
	const lists = withoutDialog(address);
	const page = (rows: readonly UserRow[], list: "active" | "inactive") => {
		const found = pageOf(rows, lists[list], DRIVERS_PAGE, ({ id }) => id);
		return { people: show(found.rows), pages: pageLinks(lists[list], found, (at) => addressOf({ ...lists, [list]: at })) };
	};
	return {
		viewer: viewerOf(admin),
		me: admin.user.id,
		address,
		pendingCount: read.pendingCount[0]?.count ?? 0,
		pending: show(read.pending),
		active: page(read.active, "active"),
		inactive: page(read.inactive, "inactive"),
		rejected: show(read.rejected),
		administrators: show(read.administrators),
		asked: show(read.asked)[0],
		key: crypto.randomUUID(),
	};
}

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	return changeDrivers(admin, args);
}

export default function DriverManagement() {
	const { viewer, me, address, pendingCount, pending, active, inactive, rejected, administrators, asked, key } =
		useLoaderData<typeof loader>();
	const notDone = useAnswer<NotDone>();
	const lists = withoutDialog(address);
	return (
		<Portal
			viewer={viewer}
			current="/drivers"
			title="Driver Management"
			subtitle={`${pendingCount} pending ${pendingCount === 1 ? "application" : "applications"}`}
			toast={notDone?.toast}
		>
			<div className="grid gap-3 sm:flex print:hidden">
				<GoButton href={addressOf({ ...lists, dialog: "add-driver" })} size="wide">
					Add Driver
				</GoButton>
				<GoButton href={addressOf({ ...lists, dialog: "create-admin" })} variant="outline" size="wide">
					Create Admin
				</GoButton>
			</div>
			<Section id="pending" title="Pending Approvals">
				<PendingList people={pending} total={pendingCount} />
			</Section>
			<Section id="active" title="Active Drivers">
				<ActiveDrivers people={active.people} address={lists} />
				<Pages label="Pages of active drivers" links={active.pages} className="justify-end" />
			</Section>
			{inactive.people.length > 0 || lists.inactive ? (
				<Section id="inactive" title="Inactive Drivers">
					<InactiveDrivers people={inactive.people} />
					<Pages label="Pages of inactive drivers" links={inactive.pages} className="justify-end" />
				</Section>
			) : null}
			{rejected.length > 0 ? (
				<Section id="rejected" title="Rejected">
					<RejectedDrivers people={rejected} />
					<Cut people={rejected} />
				</Section>
			) : null}
			<Section id="administrators" title="Administrators">
				<Administrators people={administrators} address={lists} me={me} />
				<Cut people={administrators} />
			</Section>
			<DriversDialog
				address={notDone?.dialog ? { ...lists, dialog: notDone.dialog } : address}
				person={asked}
				form={notDone?.form}
				newKey={key}
				needsNewKey={notDone?.needsNewKey ?? false}
			/>
		</Portal>
	);
}
