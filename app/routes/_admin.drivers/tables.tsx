/**
 * The screen's lists. A row's buttons are separate forms; actions that need confirmation open their
 * dialog.
 */
import type { ReactNode } from "react";
import { MAX_OTHERS, NO_CODE, ROLE_NAMES } from "../../domain/people/rules.ts";
import type { DriverSearch } from "../../domain/people/search.ts";
import { driverPath } from "../../domain/people/search.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { Person } from "./people.ts";
import {
	Actions,
	Email,
	InvitationForms,
	Pair,
	PersonLink,
	RowDialog,
	RowForm,
	Status,
} from "./row-parts.tsx";
import type { DriversData } from "./view.server.ts";

type Rows = { readonly people: readonly Person[]; readonly address: DriverSearch };

/** Applications, oldest first. */
export function PendingList({ people, total }: { people: DriversData["pending"]; total: number }) {
	if (people.length === 0) return <Empty>No pending driver applications</Empty>;
	return (
		<>
			<ul className="divide-y divide-line surface">
				{people.map((person) => (
					<li
						key={person.id}
						id={`row-${person.id}`}
						className="grid items-center gap-3 p-4 sm:grid-cols-[1fr_auto]"
					>
						<div className="min-w-0 wrap-anywhere">
							<p className="font-semibold">
								<PersonLink person={person} />
							</p>
							<p>
								<Email person={person} />
							</p>
							<p className="text-sm text-quiet">Applied {person.appliedOn}</p>
							{person.namesake ? (
								<a
									className="inline-flex min-h-11 items-center text-sm text-accent"
									href={driverPath(person.namesake)}
								>
									A driver has the same name
								</a>
							) : null}
						</div>
						<div className="flex flex-wrap gap-2 *:max-sm:flex-[1_1_7rem] [&_button]:max-sm:w-full">
							<RowForm person={person} intent="approve" pending="Approving..." seen="pending">
								Approve
							</RowForm>
							<RowForm person={person} intent="reject" pending="Rejecting..." variant="destructive">
								Reject
							</RowForm>
						</div>
					</li>
				))}
			</ul>
			{total > people.length ? (
				<p className="text-quiet">{total - people.length} more will appear as you review these.</p>
			) : null}
		</>
	);
}

const HEADS = [
	{ head: "Driver ID" },
	{ head: "Name" },
	{ head: "Email" },
	{ head: "Approved" },
] as const;
const ACTIONS = { head: "Actions", isHidden: true, isControl: true } as const;

/** The column of the rows' actions, for whoever may take them. */
const useActionsColumn = () => (useMay()("POST", "/drivers") ? [ACTIONS] : []);

function NameAndEmail({ person, name }: { person: Person; name: ReactNode }) {
	return (
		<>
			<TableRowHead label="Name" className="wrap-anywhere md:min-w-24 xl:min-w-32">
				{name}
			</TableRowHead>
			<TableCell label="Email" className="wrap-anywhere sm:text-sm md:min-w-40">
				<Email person={person} />
			</TableCell>
		</>
	);
}

/** The cells that active and inactive drivers share. */
function DriverCells({ person }: { person: Person }) {
	return (
		<>
			<TableCell label="Driver ID" className="whitespace-nowrap">
				{person.code ?? NO_CODE}
			</TableCell>
			<NameAndEmail person={person} name={<PersonLink person={person} />} />
			<TableCell label="Approved" className="whitespace-nowrap">
				{person.approvedOn ?? "Legacy"}
			</TableCell>
		</>
	);
}

export function ActiveDrivers({ people, address }: Rows) {
	const actions = useActionsColumn();
	if (people.length === 0)
		return <Empty>{address.active ? "No more active drivers" : "No active drivers"}</Empty>;
	return (
		<DataTable
			labelledBy="active"
			columns={[...HEADS, { head: "Status" }, ...actions]}
			isDense
			phone="pairs"
		>
			{people.map((person) => (
				<tr key={person.id} id={`row-${person.id}`}>
					<DriverCells person={person} />
					<TableCell label="Status">
						<Status person={person} />
					</TableCell>
					<Actions>
						<InvitationForms person={person} />
						<Pair>
							{person.hasName ? (
								<RowDialog person={person} dialog="rename">
									Rename
								</RowDialog>
							) : null}
							<RowDialog person={person} dialog="delete">
								Delete
							</RowDialog>
						</Pair>
					</Actions>
				</tr>
			))}
		</DataTable>
	);
}

export function InactiveDrivers({ people }: Pick<Rows, "people">) {
	return (
		<DataTable
			labelledBy="inactive"
			columns={[...HEADS, ...useActionsColumn()]}
			isDense
			phone="pairs"
		>
			{people.map((person) => (
				<tr key={person.id} id={`row-${person.id}`}>
					<DriverCells person={person} />
					<Actions>
						{person.isPseudonymized ? null : (
							<RowForm person={person} intent="activate" pending="Activating..." variant="ghost">
								Activate
							</RowForm>
						)}
					</Actions>
				</tr>
			))}
		</DataTable>
	);
}

export function RejectedDrivers({ people }: Pick<Rows, "people">) {
	return (
		<DataTable
			labelledBy="rejected"
			columns={[{ head: "Name" }, { head: "Email" }, { head: "Applied" }, ...useActionsColumn()]}
			isDense
			phone="pairs"
		>
			{people.map((person) => (
				<tr key={person.id} id={`row-${person.id}`}>
					<NameAndEmail person={person} name={<PersonLink person={person} />} />
					<TableCell label="Applied" className="whitespace-nowrap">
						{person.appliedOn ?? "unknown"}
					</TableCell>
					<Actions>
						<RowForm person={person} intent="approve" pending="Approving..." variant="ghost">
							Approve
						</RowForm>
					</Actions>
				</tr>
			))}
		</DataTable>
	);
}

/**
 * Administrators and accountants.
 * @param me id of the reader, who can't deactivate their own account
 */
export function Administrators({ people, me }: Pick<Rows, "people"> & { me: string }) {
	return (
		<DataTable
			labelledBy="administrators"
			columns={[{ head: "Name" }, { head: "Email" }, { head: "Status" }, ...useActionsColumn()]}
			isDense
			phone="pairs"
		>
			{people.map((person) => (
				<tr key={person.id} id={`row-${person.id}`}>
					<NameAndEmail
						person={person}
						name={
							<>
								<bdi>{person.name}</bdi>
								{person.id === me ? " (you)" : null}
								{person.role === "viewer" ? (
									<>
										{" "}
										<Badge variant="info">{ROLE_NAMES.viewer}</Badge>
									</>
								) : null}
							</>
						}
					/>
					<TableCell label="Status">
						{person.isActive ? <Status person={person} /> : <Badge>Inactive</Badge>}
					</TableCell>
					<AdministratorActions person={person} isOneself={person.id === me} />
				</tr>
			))}
		</DataTable>
	);
}

function AdministratorActions({ person, isOneself }: { person: Person; isOneself: boolean }) {
	if (!useMay()("POST", "/drivers")) return null;
	if (isOneself) return <TableCell isControl className="max-sm:hidden" />;
	return (
		<Actions>
			{person.isActive ? (
				<>
					<InvitationForms person={person} />
					<RowDialog person={person} dialog="deactivate">
						Deactivate
					</RowDialog>
				</>
			) : (
				<RowForm person={person} intent="activate" pending="Activating..." variant="ghost">
					Activate
				</RowForm>
			)}
		</Actions>
	);
}

/** Says that a short list was truncated. */
export function TruncationNote({ people }: Pick<Rows, "people">) {
	return people.length < MAX_OTHERS ? null : (
		<p className="text-quiet">Showing the first {MAX_OTHERS} only.</p>
	);
}
