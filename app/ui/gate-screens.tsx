/** The screens of drivers without access (docs/product.md §2): no portal, only their own data. */
import { type SubmissionResult, useForm } from "@conform-to/react";
import { PERSON_FIELDS } from "../domain/people/fields.ts";
import { profileInput } from "../domain/people/input.ts";
import type { GatedDriver } from "../http/refusal.ts";
import type { Toast } from "../messages.ts";
import { formatDate, parseCalendarDate } from "../values/calendar-date.ts";
import { constraintOf } from "./forms/constraint.ts";
import { TextField } from "./forms/fields.tsx";
import { Button } from "./primitives/button.tsx";
import { Card, CardTitle } from "./primitives/card.tsx";
import { SignOut } from "./shell.tsx";
import { Standalone } from "./standalone.tsx";

type GateProps = {
	driver: GatedDriver;
	form?: SubmissionResult | undefined;
	toast?: Toast | undefined;
};

export function Gate(props: GateProps) {
	if (props.driver.gate === "incomplete") return <CompleteProfile {...props} />;
	if (props.driver.gate === "pending") return <UnderReview {...props} />;
	return <NotApproved {...props} />;
}

function NameForm({ driver, form: lastResult, button }: GateProps & { button: string }) {
	const [, fields] = useForm<Record<"firstName" | "lastName", string>>({
		id: "profile",
		lastResult: lastResult ?? null,
		defaultValue: { firstName: driver.firstName, lastName: driver.lastName },
		constraint: constraintOf(profileInput),
		defaultNoValidate: false,
	});
	return (
		<form method="post" action="/profile" className="grid gap-4">
			<input type="hidden" name="asUser" value={driver.id} />
			<TextField
				field={fields.firstName}
				label={PERSON_FIELDS.firstName.label}
				autoComplete="given-name"
				placeholder="Enter your first name"
			/>
			<TextField
				field={fields.lastName}
				label={PERSON_FIELDS.lastName.label}
				autoComplete="family-name"
				placeholder="Enter your last name"
			/>
			<Button pending="Updating..." size="wide">
				{button}
			</Button>
		</form>
	);
}

function CompleteProfile(props: GateProps) {
	return (
		<Standalone title="Complete Your Profile" icon="people" toast={props.toast}>
			<p>Please provide your name to complete your driver profile setup</p>
			<Card>
				<NameForm {...props} button="Complete Profile" />
			</Card>
			<Card className="grid gap-2 bg-sunken">
				<CardTitle>Next Steps</CardTitle>
				<p>An administrator will review your application. You'll get access once it's approved.</p>
			</Card>
			<div>
				<SignOut variant="gate" />
			</div>
		</Standalone>
	);
}

function UnderReview({ driver, form, toast }: GateProps) {
	return (
		<Standalone title="Application Under Review" icon="clock" toast={toast}>
			<p>Thank you, {driver.firstName}. An administrator is reviewing your application.</p>
			<Card className="@container">
				<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 @max-[15rem]:grid-cols-1">
					<dt className="text-quiet">Submitted</dt>
					<dd>{formatDate(parseCalendarDate(driver.appliedOn))}</dd>
					<dt className="text-quiet">Email</dt>
					<dd className="wrap-anywhere">{driver.email || "Not provided"}</dd>
					<dt className="text-quiet">Name</dt>
					<dd className="wrap-anywhere">
						{driver.firstName} {driver.lastName}
					</dd>
				</dl>
			</Card>
			<p>
				Review usually takes 1-2 business days. You'll receive an email notification once a decision
				is made.
			</p>
			<details {...(form ? { open: true } : {})} className="surface px-4 py-2 sm:px-6">
				<summary className="min-h-11 content-center font-semibold text-accent">
					Correct my name
				</summary>
				<div className="py-2">
					<NameForm driver={driver} form={form} button="Save name" />
				</div>
			</details>
			<div>
				<SignOut variant="gate" />
			</div>
		</Standalone>
	);
}

function NotApproved({ toast }: GateProps) {
	return (
		<Standalone title="Application Not Approved" icon="cross" toast={toast}>
			<p>
				Your driver application was not approved. If you think this is a mistake, please contact
				your fleet's admin team.
			</p>
			<div>
				<SignOut variant="gate" />
			</div>
		</Standalone>
	);
}
