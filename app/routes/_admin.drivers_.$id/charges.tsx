/** What is taken off a driver's weeks or added to them, the form for more, and removing one. */
import { useForm } from "@conform-to/react";
import { CHARGE_FIELDS as FIELDS } from "../../domain/charges/fields.ts";
import { newChargeInput } from "../../domain/charges/input.ts";
import { DIRECTION_LABELS, DIRECTIONS, KIND_LABELS, KINDS } from "../../domain/charges/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { AmountField, SelectField, TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { toOptions } from "../../ui/forms/options.ts";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { ReceiptPicker, receiptHint } from "../../ui/receipt-picker.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import { Item, Latest } from "./lists.tsx";
import type { DriverData } from "./view.server.ts";
import type { WeekAnswer } from "./week-actions.server.ts";

/** Built for any day: what its fields allow doesn't depend on it. */
const INPUT = newChargeInput(ANY_DAY);

export function Charges({ data: { person, week } }: { data: DriverData }) {
	if (!week.isDriver) return null;
	return (
		<div className="grid gap-4">
			<Latest
				id="charges"
				title="Charges"
				actions={
					week.mayAdd ? (
						<ButtonLink
							variant="outline"
							href={driverPath(person.id, "charge")}
							className="no-print"
						>
							Add a charge
							<span className="sr-only"> for {person.name}</span>
						</ButtonLink>
					) : null
				}
				empty="No charges"
				pages={week.chargePages}
			>
				{week.charges.map(({ id, kind, amount, under, note, receipt, isFor, remove }) => (
					<Item
						key={id}
						what={
							<>
								{kind}
								{note ? <span className="text-quiet">{`: ${note}`}</span> : null}
								{receipt ? (
									<a
										href={receipt}
										className="ms-2 inline-flex min-h-11 items-center font-semibold text-accent sm:min-h-6"
									>
										Receipt
										<span className="sr-only">{` of ${kind}, ${amount}`}</span>
									</a>
								) : null}
							</>
						}
						amount={amount}
						under={under}
						badge={
							<span className="flex flex-wrap items-center gap-2">
								{isFor ? <Badge>For the driver</Badge> : null}
								{week.mayChange ? (
									<ButtonLink variant="outline" href={remove} className="no-print">
										Remove
										<span className="sr-only">{` ${kind} of ${amount}`}</span>
									</ButtonLink>
								) : null}
							</span>
						}
					/>
				))}
			</Latest>
			<Pages label="Charges" links={week.chargePages} anchor="charges" />
		</div>
	);
}

type Props = { data: DriverData; answer: WeekAnswer | undefined };

function NewCharge({ data: { person, week }, answer }: Props) {
	const [form, fields] = useForm<Record<keyof typeof FIELDS | "key", string>>({
		id: "charge-form",
		lastResult: answer?.form ?? null,
		defaultValue: { date: week.today, instalments: "1" },
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	const key = answer?.needsNewKey ? week.newKey : fields.key.initialValue || week.newKey;
	return (
		<UrlDialog
			id="charge"
			title={`Charge for ${person.name}`}
			back={`${driverPath(person.id)}#charges`}
		>
			<DialogForm
				dialog="charge"
				action={driverPath(person.id, "charge")}
				hidden={{ intent: "charge", key }}
				submit={{ label: "Add charge", pending: "Adding..." }}
				encType="multipart/form-data"
			>
				<Problems problems={form.errors ?? []} takesFocus />
				<div className="grid items-start gap-4 sm:grid-cols-2">
					<SelectField
						field={fields.kind}
						label={FIELDS.kind.label}
						options={[["", "Select a kind"], ...toOptions(KINDS, KIND_LABELS)]}
					/>
					<SelectField
						field={fields.direction}
						label={FIELDS.direction.label}
						hint="A bonus is usually for the driver, anything else against"
						options={toOptions(["", ...DIRECTIONS], DIRECTION_LABELS)}
					/>
					<AmountField field={fields.amount} label={FIELDS.amount.label} />
					<TextField field={fields.date} label={FIELDS.date.label} type="date" />
					<TextField
						field={fields.instalments}
						label={FIELDS.instalments.label}
						hint="1 to 52, the first in the week of the date"
						inputMode="numeric"
					/>
				</div>
				<TextareaField
					field={fields.note}
					label={FIELDS.note.label}
					hint="The driver sees this note"
					rows={2}
				/>
				{/* After every text, which a file that is too long would cut off. */}
				<PlainField
					id="receipt"
					label="Receipt"
					hint={`${receiptHint(week.receiptMegabytes)} The driver can open it.`}
					errors={answer?.fileProblems}
					isOptional
				>
					{(control) => <ReceiptPicker control={control} megabytes={week.receiptMegabytes} />}
				</PlainField>
			</DialogForm>
		</UrlDialog>
	);
}

function RemoveCharge({ data: { person, week } }: { data: DriverData }) {
	if (!week.removed) return null;
	const { id, kind, amount, under, note } = week.removed;
	return (
		<UrlDialog id="remove-charge" title="Remove Charge" back={`${week.chargesPath}#charges`}>
			<p className="wrap-anywhere">{`Remove the charge ${kind} of ${amount} from ${person.name}'s weeks?`}</p>
			<p className="text-quiet wrap-anywhere">{[under, note].filter(Boolean).join(" · ")}</p>
			<DialogForm
				dialog="remove-charge"
				action={week.chargesPath}
				hidden={{ intent: "remove-charge", id }}
				submit={{ label: "Remove", pending: "Removing...", variant: "destructive" }}
			/>
		</UrlDialog>
	);
}

export function ChargeDialogs(props: Props) {
	switch (props.data.week.dialog) {
		case "charge":
			return <NewCharge {...props} />;
		case "remove-charge":
			return <RemoveCharge {...props} />;
		default:
			return null;
	}
}
