/** `/drivers/{id}`: everything about one driver, and where to find the rest. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { NO_CODE } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { textField } from "../../http/form.server.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { type ActionError, changeDrivers } from "../_admin.drivers/actions.server.ts";
import { PersonDialog } from "../_admin.drivers/dialogs.tsx";
import { Email, InvitationForms, RowDialog, RowForm } from "../_admin.drivers/row-parts.tsx";
import { forgetAction } from "./forget.server.ts";
import { Fees, Flags, Payouts, Requests, Trips } from "./lists.tsx";
import { PersonalData, PseudonymizeDialog } from "./personal-data.tsx";
import { PlatformIds } from "./platform-ids.tsx";
import { pseudonymizeAction } from "./pseudonymize.server.ts";
import { type DriverData, driverView } from "./view.server.ts";

export const handle = { title: "Driver" };

export const loader = driverView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const { context } = args;
	const id = args.params.id ?? "";
	switch (await textField(context, "intent")) {
		case "pseudonymize":
			return pseudonymizeAction(context, admin, id, admin.settings.keepDriverYears);
		case "forget":
			return forgetAction(context, admin, id);
		default:
			return changeDrivers(admin, args, { id, path: driverPath(id) });
	}
}

/** Their actions: the buttons of their row on the list of drivers. */
function Actions({
	data: { person, isApplicant, isRejected, isApproved, isSelf, pseudonymizing },
}: {
	data: DriverData;
}) {
	const isDriver = person.role === "driver";
	if (isSelf) return <p className="text-quiet">This is your own account.</p>;
	return (
		<div className="flex flex-wrap gap-2 print:hidden">
			{isApplicant && isDriver ? (
				<RowForm person={person} intent="approve" pending="Approving..." variant="default">
					Approve
				</RowForm>
			) : null}
			{isApplicant && isDriver && !isRejected ? (
				<RowForm person={person} intent="reject" pending="Rejecting..." variant="destructive">
					Reject
				</RowForm>
			) : null}
			{isApproved && person.isActive ? (
				<>
					<InvitationForms person={person} variant="outline" />
					{isDriver && person.hasName ? (
						<RowDialog person={person} dialog="rename" variant="outline">
							Rename
						</RowDialog>
					) : null}
					<RowDialog
						person={person}
						dialog={isDriver ? "delete" : "deactivate"}
						variant="destructive"
					>
						{isDriver ? "Delete" : "Deactivate"}
					</RowDialog>
				</>
			) : null}
			{isApproved && !person.isActive && pseudonymizing.kind !== "done" ? (
				<RowForm person={person} intent="activate" pending="Activating...">
					Activate
				</RowForm>
			) : null}
		</div>
	);
}

/** Who they are, as pairs of labels and values. */
function Facts({ data }: { data: DriverData }) {
	const { person, standing } = data;
	const facts = [
		["Driver ID", person.code ? null : NO_CODE],
		["Email", <Email key="email" person={person} />],
		["Applied", person.appliedOn],
		["Approved", person.approvedOn],
		[
			"Invitation",
			person.invitedUntil === null
				? null
				: person.invitedUntil
					? `Expires ${person.invitedUntil}`
					: "Expired",
		],
		["Last sign-in", data.lastSignIn],
	] as const;
	return (
		<Card className="grid gap-4">
			<div className="flex flex-wrap items-center justify-between gap-3">
				<Badge variant={standing.tone}>{standing.label}</Badge>
				<Actions data={data} />
			</div>
			<dl className="flex flex-wrap gap-x-12 gap-y-3">
				{facts.map(([label, value]) =>
					value ? (
						<div key={label} className="min-w-0">
							<dt className="text-sm text-quiet">{label}</dt>
							<dd className="m-0 wrap-anywhere">{value}</dd>
						</div>
					) : null,
				)}
			</dl>
		</Card>
	);
}

export default function DriverPage() {
	const data = useView<DriverData>();
	const answer = useAnswer<ActionError>();
	const { person, period } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/drivers"
			title={person.name}
			subtitle={person.code ? `Driver ${person.code}` : undefined}
			toast={answer?.toast}
		>
			<Facts data={data} />
			<Section id="month" title="This Month" actions={<p className="text-quiet">{period}</p>}>
				<Stats columns={4}>
					<StatCard label="Miles" value={data.miles} />
					<StatCard label="Approved requests" value={data.approved} />
					<StatCard label="Fuel per mile" value={data.perMile} />
					<StatCard label="Uber fees" value={data.fees} />
				</Stats>
			</Section>
			<Section id="payments" title="Payments">
				<Stats columns={3}>
					<StatCard label="Paid this year" value={data.paidThisYear} />
					<StatCard label="To be paid" value={data.unpaid} note="Approved and unpaid" />
				</Stats>
			</Section>
			<Flags data={data} />
			<div className="grid items-start gap-6 xl:grid-cols-2">
				<Requests data={data} />
				<Payouts data={data} />
				<Trips data={data} />
				<Fees data={data} />
				<PlatformIds data={data} />
			</div>
			<PersonalData data={data} />
			<p>
				<a
					className="inline-flex min-h-11 items-center font-semibold wrap-anywhere text-accent"
					href={`/audit?person=${person.id}`}
				>
					{`Audit of ${person.name}`}
				</a>
			</p>
			<PersonDialog
				dialog={data.dialog}
				person={person}
				here={driverPath(person.id, data.dialog)}
				back={driverPath(person.id)}
				form={answer?.form}
			/>
			<PseudonymizeDialog data={data} form={answer?.form} />
		</Portal>
	);
}
