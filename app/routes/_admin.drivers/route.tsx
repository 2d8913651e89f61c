/** `/drivers`: who applies, who drives, who administers. */

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireAdmin } from "../../auth/guard.server.ts";
import type { UserRow } from "../../domain/context.ts";
import {
	countApplications,
	findPerson,
	listAdministrators,
	listApprovedDrivers,
	listPendingDrivers,
	listRejectedDrivers,
} from "../../domain/drivers/queries.server.ts";
import { DRIVERS_PAGE_SIZE, MAX_PENDING } from "../../domain/drivers/rules.ts";
import { driversUrl, parseSearch, withoutDialog } from "../../domain/drivers/search.ts";
import { selectBounces } from "../../domain/mail/bounces.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { type ActionError, changeDrivers } from "./actions.server.ts";
import { DriversDialog } from "./dialogs.tsx";
import { toPerson } from "./people.ts";
import {
	ActiveDrivers,
	Administrators,
	InactiveDrivers,
	PendingList,
	RejectedDrivers,
	TruncationNote,
} from "./tables.tsx";

export const handle = { title: "Driver Management" };

export async function loader(args: LoaderFunctionArgs) {
	const address = parseSearch(new URL(args.request.url).searchParams);
	const { admin, ...read } = await requireAdmin(args, ({ build }) => ({
		pendingCount: countApplications({}),
		pending: listPendingDrivers(build, MAX_PENDING),
		// One row more than a page shows whether there is a next one.
		active: listApprovedDrivers(build, true, DRIVERS_PAGE_SIZE + 1, address.active),
		inactive: listApprovedDrivers(build, false, DRIVERS_PAGE_SIZE + 1, address.inactive),
		rejected: listRejectedDrivers({}),
		administrators: listAdministrators({}),
		asked: address.id ? findPerson(build, address.id) : undefined,
		bounces: selectBounces({}),
	}));
	const bounces = new Map(read.bounces.map(({ address, reason }) => [address, reason]));
	const show = (rows: readonly UserRow[]) =>
		rows.map((user) => toPerson(user, admin.timeZone, admin.now, bounces));
	const lists = withoutDialog(address);
	const page = (rows: readonly UserRow[], list: "active" | "inactive") => {
		const found = toPage(rows, lists[list], DRIVERS_PAGE_SIZE, ({ id }) => id);
		return {
			people: show(found.rows),
			pages: pageLinks(lists[list], found, (at) => driversUrl({ ...lists, [list]: at })),
		};
	};
	return {
		viewer: toViewer(admin),
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
	const { admin } = await requireAdmin(args);
	return changeDrivers(admin, args);
}

export default function DriverManagement() {
	const {
		viewer,
		me,
		address,
		pendingCount,
		pending,
		active,
		inactive,
		rejected,
		administrators,
		asked,
		key,
	} = useLoaderData<typeof loader>();
	const notDone = useAnswer<ActionError>();
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
				<GoButton href={driversUrl({ ...lists, dialog: "add-driver" })} size="wide">
					Add Driver
				</GoButton>
				<GoButton href={driversUrl({ ...lists, dialog: "add-many" })} variant="outline" size="wide">
					Add many
				</GoButton>
				<GoButton
					href={driversUrl({ ...lists, dialog: "create-admin" })}
					variant="outline"
					size="wide"
				>
					Create Admin
				</GoButton>
			</div>
			<Section id="pending" title="Pending Approvals">
				<PendingList people={pending} total={pendingCount} />
			</Section>
			<Section id="active" title="Active Drivers">
				<ActiveDrivers people={active.people} address={lists} />
				<Pages label="Active drivers pagination" links={active.pages} className="justify-end" />
			</Section>
			{inactive.people.length > 0 || lists.inactive ? (
				<Section id="inactive" title="Inactive Drivers">
					<InactiveDrivers people={inactive.people} />
					<Pages
						label="Inactive drivers pagination"
						links={inactive.pages}
						className="justify-end"
					/>
				</Section>
			) : null}
			{rejected.length > 0 ? (
				<Section id="rejected" title="Rejected">
					<RejectedDrivers people={rejected} />
					<TruncationNote people={rejected} />
				</Section>
			) : null}
			<Section id="administrators" title="Administrators">
				<Administrators people={administrators} address={lists} me={me} />
				<TruncationNote people={administrators} />
			</Section>
			<DriversDialog
				address={notDone?.dialog ? { ...lists, dialog: notDone.dialog } : address}
				person={asked}
				form={notDone?.form}
				newKey={key}
				needsNewKey={notDone?.needsNewKey ?? false}
				invitations={notDone?.invitations}
			/>
		</Portal>
	);
}
