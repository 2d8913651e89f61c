/** `/drivers`: applications, drivers and administrators. */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireAdmin } from "../../auth/guard.server.ts";
import { MAX_FOUND } from "../../domain/people/choice.ts";
import { driversUrl, type PeopleList, withoutDialog } from "../../domain/people/search.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton, RowsForm } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { pluralize } from "../../values/count.ts";
import { type ActionError, changeDrivers } from "./actions.server.ts";
import { DriversDialog } from "./dialogs.tsx";
import { Filters, LIST_TITLES } from "./filters.tsx";
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

/** Three of them stand side by side on a phone. */
const ADD = "max-sm:px-1 max-sm:text-sm";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	return changeDrivers(admin, args);
}

export default function DriverManagement() {
	const {
		viewer,
		me,
		address,
		shown,
		hasMore,
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
	// Who is added is shown among everyone.
	const everyone = { ...lists, search: undefined, show: undefined };
	const hasRowButtons =
		active.people.length > 0 || administrators.some(({ id, isActive }) => isActive && id !== me);
	const parts: Readonly<Record<PeopleList, () => ReactNode>> = {
		pending: () => (
			<PendingList people={pending} total={lists.search ? pending.length : pendingCount} />
		),
		active: () => (
			<>
				<ActiveDrivers people={active.people} address={lists} />
				<Pages
					label="Active drivers pagination"
					links={active.pages}
					anchor="active"
					className="justify-end"
				/>
			</>
		),
		inactive: () => (
			<>
				<InactiveDrivers people={inactive.people} />
				<Pages
					label="Inactive drivers pagination"
					links={inactive.pages}
					anchor="inactive"
					className="justify-end"
				/>
			</>
		),
		rejected: () => (
			<>
				<RejectedDrivers people={rejected} />
				<TruncationNote people={rejected} />
			</>
		),
		administrators: () => (
			<>
				<Administrators people={administrators} me={me} />
				<TruncationNote people={administrators} />
			</>
		),
	};
	return (
		<Portal
			viewer={viewer}
			current="/drivers"
			title="Driver Management"
			subtitle={pluralize(pendingCount, "pending application")}
			toast={notDone?.toast}
		>
			{mayChange ? (
				<div className="flex flex-wrap gap-2 *:grow sm:gap-3 sm:*:grow-0 print:hidden">
					{hasRowButtons ? <RowsForm href={driversUrl(lists)} /> : null}
					<GoButton
						href={driversUrl({ ...everyone, dialog: "add-driver" })}
						size="wide"
						className={ADD}
					>
						Add Driver
					</GoButton>
					<GoButton
						href={driversUrl({ ...everyone, dialog: "add-many" })}
						variant="outline"
						size="wide"
						className={ADD}
					>
						Add many
					</GoButton>
					<GoButton
						href={driversUrl({ ...everyone, dialog: "create-admin" })}
						variant="outline"
						size="wide"
						className={ADD}
					>
						Create Admin
					</GoButton>
				</div>
			) : null}
			<Filters address={lists} />
			{shown.length === 0 ? <Empty>{`No matches for "${lists.search}"`}</Empty> : null}
			{hasMore ? (
				<p>{`First ${MAX_FOUND} matches for "${lists.search}". Enter more of the name to narrow the list.`}</p>
			) : null}
			{shown.map((list) => (
				<Section key={list} id={list} title={LIST_TITLES[list]}>
					{parts[list]()}
				</Section>
			))}
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
