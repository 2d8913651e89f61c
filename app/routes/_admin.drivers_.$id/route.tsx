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
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { changeDrivers } from "../_admin.drivers/actions.server.ts";
import { PersonDialog } from "../_admin.drivers/dialogs.tsx";
import { Email, InvitationForms, PageDialog, RowForm } from "../_admin.drivers/row-parts.tsx";
import { AgreementDialog, AgreementSection } from "./agreement.tsx";
import { ChargeDialogs, Charges } from "./charges.tsx";
import { forgetAction } from "./forget.server.ts";
import { Fees, Flags, Payouts, Requests, Settlements, Trips, Weeks } from "./lists.tsx";
import { dataPath, PersonalData, PseudonymizeDialog } from "./personal-data.tsx";
import { PlatformIds } from "./platform-ids.tsx";
import { pseudonymizeAction } from "./pseudonymize.server.ts";
import { type DriverData, driverView } from "./view.server.ts";
import {
	agreementAction,
	chargeAction,
	removeChargeAction,
	type WeekAnswer,
} from "./week-actions.server.ts";

export const handle = { title: (data: unknown) => (data as DriverData).person.name };

export const loader = driverView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const { context } = args;
	const id = args.params.id ?? "";
	switch (await textField(context, "intent")) {
		case "pseudonymize":
			return pseudonymizeAction(context, admin, id, admin.settings.keepDriverYears);
		case "agreement":
			return agreementAction(context, admin, id);
		case "charge":
			return chargeAction(context, admin, id);
		case "remove-charge":
			return removeChargeAction(context, admin, id);
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
	const may = useMay();
	if (isSelf) return <p className="text-quiet">This is your own account.</p>;
	if (!may("POST", driverPath(person.id))) return null;
	return (
		<div className="flex flex-wrap gap-2 print:hidden">
			{isApplicant && isDriver ? (
				<RowForm
					person={person}
					intent="approve"
					pending="Approving..."
					variant="default"
					seen={isRejected ? undefined : "pending"}
				>
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
						<PageDialog person={person} dialog="rename" variant="outline">
							Rename
						</PageDialog>
					) : null}
					<PageDialog
						person={person}
						dialog={isDriver ? "delete" : "deactivate"}
						variant="destructive"
					>
						{isDriver ? "Delete" : "Deactivate"}
					</PageDialog>
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
			data.invited ? (
				<span key="invitation">
					This email is invited as{" "}
					<a className="font-semibold text-accent" href={data.invited.path}>
						{data.invited.name}
					</a>
					. The sign-in provider doesn't vouch for it, so the invitation wasn't accepted.
				</span>
			) : person.invitedUntil === null ? null : person.invitedUntil ? (
				`Expires ${person.invitedUntil}`
			) : (
				"Expired"
			),
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
	const answer = useAnswer<WeekAnswer>();
	const may = useMay();
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
				<Stats isWide>
					<StatCard label="Paid this year" value={data.paidThisYear} />
					<StatCard label="To be paid" value={data.unpaid} note="Approved and unpaid" />
				</Stats>
			</Section>
			<AgreementSection data={data} />
			<Charges data={data} />
			<Flags data={data} />
			<div className="grid items-start gap-6 xl:grid-cols-2 xl:[&>section>:first-child]:min-h-11">
				<Requests data={data} />
				<Payouts data={data} />
				<Trips data={data} />
				<Settlements data={data} />
				<Weeks data={data} />
				<Fees data={data} />
				<PlatformIds data={data} />
			</div>
			{may("GET", dataPath(person.id)) ? <PersonalData data={data} /> : null}
			<p>
				<a
					className="inline-flex min-h-11 items-center font-semibold wrap-anywhere text-accent"
					href={`/audit?person=${person.id}`}
				>
					{`Audit of ${person.name}`}
				</a>
			</p>
			{may("POST", driverPath(person.id)) ? (
				<>
					<PersonDialog
						dialog={data.dialog}
						person={person}
						owed={data.owed}
						here={driverPath(person.id, data.dialog)}
						back={driverPath(person.id)}
						form={answer?.form}
					/>
					<AgreementDialog data={data} answer={answer} />
					<ChargeDialogs data={data} answer={answer} />
					<PseudonymizeDialog data={data} form={answer?.form} />
				</>
			) : null}
		</Portal>
	);
}
