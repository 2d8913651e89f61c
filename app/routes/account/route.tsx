/** Everyone's own account: name and email, and the reminders they get. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireUser } from "../../auth/guard.server.ts";
import type { ReminderSubject } from "../../domain/people/email-choices.ts";
import { ROLE_NAMES } from "../../domain/people/rules.ts";
import { toResponse } from "../../http/intent.server.ts";
import type { Option } from "../../ui/forms/options.ts";
import { PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { type AccountAnswer, accountAction } from "./actions.server.ts";
import { type AccountData, accountView } from "./view.server.ts";

export const handle = { title: "Account" };

export const loader = accountView;

export async function action(args: ActionFunctionArgs) {
	const { self } = await requireUser(args);
	const answer = await accountAction(args.context, self);
	return toResponse(answer);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<div className="flex gap-x-6 max-sm:justify-between sm:grid sm:grid-cols-[8rem_1fr]">
			<dt className="text-quiet">{name}</dt>
			<dd className="flex flex-wrap items-center gap-2 wrap-anywhere">{children}</dd>
		</div>
	);
}

function Person({ name, email, isVerified, driverCode, role }: AccountData) {
	return (
		<dl className="grid gap-3">
			<Fact name="Name">
				<bdi>{name}</bdi>
			</Fact>
			<Fact name="Email">
				{email ? <bdi>{email}</bdi> : "None"}
				{email && !isVerified ? <Badge variant="wait">Not verified</Badge> : null}
			</Fact>
			<Fact name="Role">{ROLE_NAMES[role]}</Fact>
			{driverCode ? <Fact name="Driver ID">{driverCode}</Fact> : null}
		</dl>
	);
}

/** The label of each reminder, and when it comes. */
const WORDS: Readonly<
	Record<ReminderSubject, { label: string; hint: (timeZone: string) => string }>
> = {
	remindOfMiles: {
		get label() {
			return inUnits("Missing miles");
		},
		hint: () => "When you haven't logged a trip for three working days",
	},
	remindOfReceipts: {
		label: "Missing receipts",
		hint: () => "When one of your pending requests has had no receipt for a day",
	},
	weeklyDigest: {
		label: "Weekly digest",
		hint: (timeZone) =>
			`On Mondays at 7:00 AM (${timeZone}): requests waiting, and last week's ${inUnits("miles")}, fuel and fees`,
	},
};

const onOrOff = (isOn: boolean) => (isOn ? "on" : "off");

function EmailsForm({ choices, viewer, timeZone }: AccountData) {
	return (
		<form method="post" action="/account" className="grid gap-4">
			<input type="hidden" name="asUser" value={viewer.id} />
			<div className="grid gap-4 sm:grid-cols-2">
				{choices.map(({ name, isOnForFleet, own }) => {
					const { label, hint } = WORDS[name];
					const options: readonly Option[] = [
						["", `Fleet default (${onOrOff(isOnForFleet)})`],
						["on", "On"],
						["off", "Off"],
					];
					return (
						<PlainSelect
							key={name}
							name={name}
							label={label}
							hint={hint(timeZone)}
							options={options}
							chosen={own === null ? "" : onOrOff(own)}
						/>
					);
				})}
			</div>
			<div>
				<Button pending="Saving..." size="wide">
					Save
				</Button>
			</div>
		</form>
	);
}

function Devices({ devices, viewer }: AccountData) {
	const sender = <input type="hidden" name="asUser" value={viewer.id} />;
	return (
		<>
			<Card>
				<ul className="divide-y divide-line">
					{devices.map(({ ref, name, isThis, signedIn, lastSeen }) => (
						<li
							key={ref}
							className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
						>
							<div className="grid min-w-0 gap-1">
								<p className="flex flex-wrap items-center gap-2 font-semibold">
									{name} {isThis ? <Badge variant="good">This device</Badge> : null}
								</p>
								<p className="text-sm text-quiet">
									Signed in {signedIn}. Last used {lastSeen}.
								</p>
							</div>
							{/* This device signs out as in the header, which asks about unsent entries first. */}
							<form method="post" action={isThis ? "/api/logout" : "/account"}>
								{isThis ? null : (
									<>
										{sender}
										<input type="hidden" name="intent" value="sign-out" />
										<input type="hidden" name="session" value={ref} />
									</>
								)}
								<Button variant="outline" pending="Signing out...">
									Sign out
									<span className="sr-only">
										{" "}
										{isThis ? "this device" : `${name}, signed in ${signedIn}`}
									</span>
								</Button>
							</form>
						</li>
					))}
				</ul>
			</Card>
			<form
				method="post"
				// Its own URL: a phone's service worker forgets whose phone it is, as after Sign Out.
				action="/account?everywhere"
				data-signs-out=""
				className="grid justify-items-start gap-2"
			>
				{sender}
				<input type="hidden" name="intent" value="sign-out-everywhere" />
				<Button variant="outline" pending="Signing out...">
					Sign out everywhere
				</Button>
				<p className="text-sm text-quiet">
					Signs you out of every device above, including this one.
					{viewer.role === "driver" ? " Entries waiting to be sent stay on their phone." : ""}
				</p>
			</form>
		</>
	);
}

export default function Account() {
	const data = useView<AccountData>();
	const answer = useAnswer<AccountAnswer>();
	return (
		<Portal viewer={data.viewer} current="/account" title="Account" toast={answer?.toast}>
			<Section id="person" title="About you" className="max-w-3xl">
				<Card>
					<Person {...data} />
				</Card>
				{data.role === "driver" ? (
					<p className="text-quiet">Is your name wrong? Ask a fleet administrator to correct it.</p>
				) : null}
			</Section>
			{data.choices.length > 0 ? (
				<Section id="emails" title="Reminders by email" className="max-w-3xl">
					{data.isVerified ? null : (
						<Alert variant="wait">
							<AlertDescription>
								Milepost has no verified email for you, so it can't send you reminders.
							</AlertDescription>
						</Alert>
					)}
					<p className="text-quiet">
						At most one a day. Emails about your requests and your account aren't reminders: you
						always get them.
					</p>
					<Card>
						<EmailsForm {...data} />
					</Card>
				</Section>
			) : null}
			<Section id="devices" title="Where you're signed in" className="max-w-3xl">
				<Devices {...data} />
			</Section>
		</Portal>
	);
}
