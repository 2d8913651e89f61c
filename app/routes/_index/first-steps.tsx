/** The first steps of a fleet: at the top while nobody uses it, later one collapsed line. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { PERSON_FIELDS } from "../../domain/people/fields.ts";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Button, ButtonLink, GoButton } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { formatCount } from "../../values/count.ts";
import { inUnits, namesOf } from "../../values/fleet-units.ts";
import { formatDollars } from "../../values/money.ts";
import type { QrCode, FirstSteps as View } from "./first-steps.server.ts";
import { UnitsForm } from "./units-form.tsx";

function Step({
	title,
	isDone,
	children,
}: {
	title: string;
	isDone: boolean;
	children: ReactNode;
}) {
	return (
		<li className="flex gap-3 py-4">
			<span className={clsx("mt-0.5", isDone ? "text-good" : "text-quiet")}>
				<Icon name={isDone ? "check" : "circle"} className="size-6" />
			</span>
			<div className="grid min-w-0 flex-1 gap-2">
				<h3 className="font-semibold">
					{title}
					<span className={isDone ? "ms-2 text-sm text-good" : "sr-only"}>
						{isDone ? "Done" : ", still to do"}
					</span>
				</h3>
				{children}
			</div>
		</li>
	);
}

/** Dark on light whatever the page's colors are, or cameras can't read it. */
function QrImage({ code, address }: { code: QrCode; address: string }) {
	return (
		<svg
			role="img"
			aria-label={`QR code of ${address}`}
			width="160"
			height="160"
			viewBox={`0 0 ${code.size} ${code.size}`}
			shapeRendering="crispEdges"
			className="size-40 shrink-0 rounded-md border border-line forced-color-adjust-none"
		>
			<rect width="100%" height="100%" fill="#fff" />
			<path d={code.path} fill="#000" />
		</svg>
	);
}

function NameForm({ firstName, lastName }: View) {
	const fields = [
		["firstName", firstName],
		["lastName", lastName],
	] as const;
	return (
		<details open={firstName === "" || lastName === ""}>
			<summary className="py-2.5 font-semibold text-accent">Change your name</summary>
			<form method="post" action="/profile" className="grid gap-4 pt-2 sm:max-w-lg sm:grid-cols-2">
				{fields.map(([name, value]) => (
					<PlainField key={name} id={`setup-${name}`} label={PERSON_FIELDS[name].label}>
						{(control) => (
							<Input {...control} name={name} defaultValue={value} maxLength={80} required />
						)}
					</PlainField>
				))}
				<div>
					<Button variant="outline" pending="Saving...">
						Save name
					</Button>
				</div>
			</form>
		</details>
	);
}

const targets = ({ lacksTargets, targetCents }: View) =>
	lacksTargets
		? inUnits("fuel cost per mile")
		: `${formatDollars(targetCents)} ${inUnits("of fuel per mile")}`;

const code = "rounded-sm bg-sunken px-1 text-sm";

function Steps({ view }: { view: View }) {
	const { done, isAtWork, fleetName, origin, qr } = view;
	const steps: { title: string; isDone: boolean; what: ReactNode }[] = [
		{
			title: "Your name",
			isDone: done.name,
			what: (
				<>
					<p className="text-quiet">
						Drivers see who decided a request
						{done.name ? `: ${view.firstName} ${view.lastName}.` : "."}
					</p>
					<NameForm {...view} />
				</>
			),
		},
		{
			title: "Name the fleet",
			isDone: done.fleet,
			what: (
				<p className="text-quiet">
					Screens, emails and reports say '{fleetName}'.
					{done.fleet ? null : (
						<>
							{" "}
							Change it under{" "}
							<a className="text-accent underline" href="/settings#fleet">
								Settings
							</a>
							. The sign-in screen and the app's name on phones are{" "}
							<code className={code}>APP_NAME</code> in <code className={code}>wrangler.toml</code>{" "}
							(docs/operations.md, 'First day').
						</>
					)}
				</p>
			),
		},
		{
			title: "Invite your drivers",
			isDone: done.drivers,
			what: (
				<>
					<p className="text-quiet">Paste their email addresses, or the rows of a spreadsheet.</p>
					<div className="grid sm:flex">
						<GoButton
							href="/drivers?dialog=add-many"
							variant={done.drivers ? "outline" : "default"}
							size="wide"
						>
							Add drivers
						</GoButton>
					</div>
				</>
			),
		},
		{
			title: "Install on phones",
			isDone: done.phones,
			what: (
				<div className="flex flex-wrap items-center gap-4">
					{qr ? <QrImage code={qr} address={origin} /> : null}
					<div className="grid max-w-md min-w-0 flex-[1_1_14rem] gap-2 text-quiet">
						<p>
							Drivers scan this with the camera, sign in, and choose 'Install app' or 'Add to Home
							Screen' in the browser's menu. The link is{" "}
							<a className="text-accent underline wrap-anywhere" href={origin}>
								{origin}
							</a>
							.
						</p>
						<p>The first trip or request completes this step.</p>
					</div>
				</div>
			),
		},
		{
			title: "Email",
			isDone: done.email,
			what: (
				<p className="text-quiet">
					{done.email ? (
						"Invitations, decisions and reminders are sent."
					) : (
						<>
							Email isn't set up, so invitations and decisions wait under{" "}
							<a className="text-accent underline" href="/email">
								Email
							</a>
							. Set <code className={code}>MAIL_PROVIDER</code> and{" "}
							<code className={code}>MAIL_FROM</code> in <code className={code}>wrangler.toml</code>
							, run setup again and deploy (docs/operations.md, 'First day').
						</>
					)}
				</p>
			),
		},
		{
			title: "Review the settings",
			isDone: done.settings,
			what: (
				<>
					<p className="text-quiet">
						{`Targets and alerts (${targets(view)}, an alert above ${formatCount(view.pendingAlertOver)} pending requests), reminders, and the account and tax type of payouts. ${view.lacksTargets ? `Save targets in ${namesOf(view.currency)} to complete this step.` : "Saving a section, even unchanged, completes this step."}`}
					</p>
					{view.areUnitsOpen ? <UnitsForm {...view} /> : null}
					<ButtonLink
						href="/settings"
						variant="outline"
						size="wide"
						className="sm:justify-self-start"
					>
						Open settings
					</ButtonLink>
				</>
			),
		},
	];
	return (
		<ol className="divide-y divide-line">
			{steps
				.filter(({ isDone }) => !(isAtWork && isDone))
				.map(({ title, isDone, what }) => (
					<Step key={title} title={title} isDone={isDone}>
						{what}
					</Step>
				))}
		</ol>
	);
}

function Dismiss() {
	return (
		<form method="post" action="/settings">
			<input type="hidden" name="intent" value="setup" />
			<input type="hidden" name="setupDismissed" value="on" />
			<Button variant="ghost" pending="Dismissing...">
				Dismiss
			</Button>
		</form>
	);
}

/** @param isFirst whether the list comes before everything else, or after it */
export function FirstSteps({ view, isFirst }: { view: View | undefined; isFirst: boolean }) {
	if (!view || view.isAtWork === isFirst) return null;
	const marks = Object.values(view.done);
	const undone = marks.filter((isDone) => !isDone).length;
	if (isFirst)
		return (
			<Section id="first-steps" title="Set up your fleet" actions={<Dismiss />}>
				<p className="text-quiet">
					{marks.length - undone} of {marks.length} done. Steps complete themselves.
				</p>
				<Card className="py-0 sm:py-0">
					<Steps view={view} />
				</Card>
			</Section>
		);
	return (
		<section aria-labelledby="first-steps" className="print:hidden">
			<details>
				<summary id="first-steps" className="py-2.5 font-semibold text-accent">
					Finish setting up: {undone} {undone === 1 ? "step" : "steps"} left
				</summary>
				<Card className="py-0 sm:py-0">
					<Steps view={view} />
					<div className="border-t border-line py-2">
						<Dismiss />
					</div>
				</Card>
			</details>
		</section>
	);
}
