/** The fleet's settings: what administrators can change without touching the deployment. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireAdmin } from "../../auth/guard.server.ts";
import { QUESTION_FIELDS, RECEIPT_FIELDS, THRESHOLD_FIELDS } from "../../domain/settings/fields.ts";
import { questionsInput, receiptsInput, thresholdsInput } from "../../domain/settings/input.ts";
import { toResponse } from "../../http/intent.server.ts";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { type SettingsAnswer, saveAction } from "./actions.server.ts";
import { FleetForm } from "./fleet-form.tsx";
import { AccountingForm, RemindersForm, RetentionForm, WeekForm } from "./forms.tsx";
import { QUESTION_HINTS, RECEIPT_HINTS, THRESHOLD_HINTS } from "./hints.ts";
import { NumbersForm } from "./numbers-form.tsx";
import { UnitsForm } from "./units-form.tsx";
import { type SettingsData, settingsView } from "./view.server.ts";

export const handle = { title: "Settings" };

export const loader = settingsView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const answer = await saveAction(args.context, admin);
	return toResponse(answer);
}

/** Settings that are saved together; on a desktop their explanation is beside them. */
function Group({
	id,
	title,
	note,
	children,
}: {
	id: string;
	title: string;
	note?: ReactNode;
	children: ReactNode;
}) {
	return (
		<section
			aria-labelledby={id}
			className="grid content-start gap-4 border-t border-line pt-6 xl:grid-cols-[1fr_2fr] xl:gap-8"
		>
			<div className="grid content-start gap-1">
				<h2 id={id} className="text-lg font-semibold">
					{title}
				</h2>
				{note ? <p className="text-quiet">{note}</p> : null}
			</div>
			<div className="grid content-start gap-4">{children}</div>
		</section>
	);
}

export default function Settings() {
	const data = useView<SettingsData>();
	const answer = useAnswer<SettingsAnswer>();
	return (
		<Portal
			viewer={data.viewer}
			current="/settings"
			title="Settings"
			subtitle="For the whole fleet"
			toast={answer?.toast}
		>
			<Group id="fleet" title="Fleet">
				<Card>
					<FleetForm data={data} answer={answer} />
				</Card>
			</Group>
			<Group
				id="units"
				title="Currency and distance"
				note={<>What every amount and distance is in. Choose them before the first one.</>}
			>
				<Card>
					<UnitsForm data={data} answer={answer} />
				</Card>
			</Group>
			<Group
				id="reminders"
				title="Reminders"
				note={
					<>
						No one gets more than one a day. Everyone can change this for themselves under{" "}
						<a className="text-accent underline" href="/account">
							Account
						</a>
						.
					</>
				}
			>
				{data.isSending ? null : (
					<Alert variant="info">
						<AlertDescription>
							Email isn't set up, so reminders wait under{" "}
							<a className="underline" href="/email">
								Email
							</a>
							.
						</AlertDescription>
					</Alert>
				)}
				<Card>
					<RemindersForm data={data} answer={answer} />
				</Card>
			</Group>
			<Group
				id="thresholds"
				title="Targets and alerts"
				note={<>Screens, exports and reports use these from now on, for earlier dates too.</>}
			>
				<Card>
					<NumbersForm
						section="thresholds"
						button="Save targets"
						fields={THRESHOLD_FIELDS}
						hints={THRESHOLD_HINTS}
						schema={thresholdsInput}
						data={data}
						answer={answer}
					/>
				</Card>
			</Group>
			<Group
				id="questions"
				title="When forms ask"
				note={
					<>
						Drivers can still confirm and send it. Entries that waited on a phone or came through
						the API are flagged without asking.
					</>
				}
			>
				<Card>
					<NumbersForm
						section="questions"
						button="Save questions"
						fields={QUESTION_FIELDS}
						hints={QUESTION_HINTS}
						schema={questionsInput}
						data={data}
						answer={answer}
					/>
				</Card>
			</Group>
			<Group id="receipts" title="Receipts">
				<Card>
					<NumbersForm
						section="receipts"
						button="Save receipts"
						fields={RECEIPT_FIELDS}
						hints={RECEIPT_HINTS}
						schema={receiptsInput}
						data={data}
						answer={answer}
					/>
				</Card>
			</Group>
			<Group
				id="week"
				title="Weeks"
				note={
					<>
						Drivers are settled by the week. Choose the day that the platforms' weeks start on; it
						can't be changed once a week has been settled.
					</>
				}
			>
				<Card>
					<WeekForm data={data} answer={answer} />
				</Card>
			</Group>
			<Group
				id="accounting"
				title="Accounting exports"
				note={
					<>
						For the payout files that Xero and QuickBooks import. Enter both exactly as they appear
						in your accounting program.
					</>
				}
			>
				<Card>
					<AccountingForm data={data} answer={answer} />
				</Card>
			</Group>
			<Group
				id="retention"
				title="Former drivers"
				note={
					<>
						After this time, a driver's page offers to pseudonymize them: their name, email, free
						text and receipts are removed, and the figures stay.
					</>
				}
			>
				<Card>
					<RetentionForm data={data} answer={answer} />
				</Card>
			</Group>
			<Group
				id="tokens"
				title="Tokens"
				note={
					<>What scripts sign in with, such as one that imports statements or fetches payouts.</>
				}
			>
				<div>
					<ButtonLink variant="outline" href="/settings/tokens">
						Tokens
					</ButtonLink>
				</div>
			</Group>
			<Group
				id="webhooks"
				title="Webhooks"
				note={<>Tell another program when a request, a payout or a driver changes.</>}
			>
				<div>
					<ButtonLink variant="outline" href="/settings/webhooks">
						Webhooks
					</ButtonLink>
				</div>
			</Group>
			{data.settings.setupDismissed ? (
				<form method="post" action="/settings">
					<input type="hidden" name="intent" value="setup" />
					<Button variant="outline" pending="Saving..." size="wide">
						Show the setup list again
					</Button>
				</form>
			) : null}
		</Portal>
	);
}
