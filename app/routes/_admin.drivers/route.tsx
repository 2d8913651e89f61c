/** `/drivers`: applications, drivers and administrators. */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { driversUrl, withoutDialog } from "../../domain/people/search.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton, RowsForm } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { pluralize } from "../../values/count.ts";
import { type ActionError, changeDrivers } from "./actions.server.ts";
import { DriversDialog } from "./dialogs.tsx";
import {
	ActiveDrivers,
	Administrators,
	InactiveDrivers,
	PendingList,
	RejectedDrivers,
	TruncationNote,
} from "./tables.tsx";
import { type DriversData, driversView } from "./view.server.ts";

export const handle = { title: "Driver Management" };

export const loader = driversView;

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
		owed,
		key,
	} = useView<DriversData>();
	const notDone = useAnswer<ActionError>();
	const mayChange = useMay()("POST", "/drivers");
	const lists = withoutDialog(address);
	const hasRowButtons =
		active.people.length > 0 || administrators.some(({ id, isActive }) => isActive && id !== me);
	return (
		<Portal
			viewer={viewer}
			current="/drivers"
			title="Driver Management"
			subtitle={pluralize(pendingCount, "pending application")}
			toast={notDone?.toast}
		>
			{mayChange ? (
				<div className="grid gap-3 sm:flex print:hidden">
					{hasRowButtons ? <RowsForm href={driversUrl(lists)} /> : null}
					<GoButton href={driversUrl({ ...lists, dialog: "add-driver" })} size="wide">
						Add Driver
					</GoButton>
					<GoButton
						href={driversUrl({ ...lists, dialog: "add-many" })}
						variant="outline"
						size="wide"
					>
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
			) : null}
			<Section id="pending" title="Pending Approvals">
				<PendingList people={pending} total={pendingCount} />
			</Section>
			<Section id="active" title="Active Drivers">
				<ActiveDrivers people={active.people} address={lists} />
				<Pages
					label="Active drivers pagination"
					links={active.pages}
					anchor="active"
					className="justify-end"
				/>
			</Section>
			{inactive.people.length > 0 || lists.inactive ? (
				<Section id="inactive" title="Inactive Drivers">
					<InactiveDrivers people={inactive.people} />
					<Pages
						label="Inactive drivers pagination"
						links={inactive.pages}
						anchor="inactive"
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
				<Administrators people={administrators} me={me} />
				<TruncationNote people={administrators} />
			</Section>
			{mayChange ? (
				<DriversDialog
					address={notDone?.dialog ? { ...lists, dialog: notDone.dialog } : address}
					person={asked}
					owed={owed}
					form={notDone?.form}
					newKey={key}
					needsNewKey={notDone?.needsNewKey ?? false}
					holder={notDone?.holder}
					invitations={notDone?.invitations}
				/>
			) : null}
		</Portal>
	);
}
