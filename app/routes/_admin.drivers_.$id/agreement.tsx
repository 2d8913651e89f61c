/** A driver's agreement as one sentence, the earlier ones, and the form for the next one. */
import { useForm } from "@conform-to/react";
import { AGREEMENT_FIELDS as FIELDS } from "../../domain/agreements/fields.ts";
import { newAgreementInput } from "../../domain/agreements/input.ts";
import {
	BASE_LABELS,
	BASES,
	formatMills,
	PRESETS,
	TAX_YEAR_LABELS,
	TAX_YEAR_STARTS,
	TOLL_LABELS,
	TOLL_OWNERS,
} from "../../domain/agreements/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { toOptions } from "../../ui/forms/options.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import { fleetUnits } from "../../values/fleet-units.ts";
import type { FormField } from "../../values/form-field.ts";
import { Item } from "./lists.tsx";
import type { DriverData } from "./view.server.ts";
import type { WeekAnswer } from "./week-actions.server.ts";
import type { Preview } from "./week-view.server.ts";

/** Built for any day: what its fields allow doesn't depend on it. */
const INPUT = newAgreementInput(ANY_DAY, 1);
const KEYBOARDS: Readonly<Record<keyof typeof FIELDS, FormField>> = FIELDS;

export function AgreementSection({ data: { person, week } }: { data: DriverData }) {
	if (!week.isDriver) return null;
	return (
		<Section
			id="agreement"
			title="Agreement"
			actions={
				week.mayAdd ? (
					<ButtonLink variant="outline" href={week.agreementPath} className="no-print">
						{week.agreements.length > 0 ? "New agreement" : "Make an agreement"}
						<span className="sr-only"> with {person.name}</span>
					</ButtonLink>
				) : null
			}
		>
			{week.current ? <p className="max-w-3xl wrap-anywhere">{week.current}</p> : null}
			{week.agreements.length === 0 ? (
				<Empty>No agreement yet: what they keep of a week isn't settled</Empty>
			) : (
				<details>
					<summary className="min-h-11 cursor-pointer content-center font-semibold text-accent">
						{week.agreementsTitle}
					</summary>
					<ul className="divide-y divide-line surface">
						{week.agreements.map(({ id, sentence, under, badge }) => (
							<Item
								key={id}
								what={sentence}
								under={under}
								badge={badge ? <Badge variant={badge.tone}>{badge.label}</Badge> : null}
							/>
						))}
					</ul>
				</details>
			)}
		</Section>
	);
}

/** The sentence, and a week under it. */
function Shown({ preview: { sentence, week, lines, result } }: { preview: Preview }) {
	return (
		<div id="preview" className="grid gap-2 rounded-lg border border-line bg-sunken p-4">
			<p className="font-semibold wrap-anywhere">{sentence}</p>
			<p className="text-quiet">{`${week}:`}</p>
			<dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1">
				{lines.map(({ text, amount }) => (
					<div key={text} className="contents">
						<dt>{text}</dt>
						<dd className="m-0 text-end tabular-nums">{amount}</dd>
					</div>
				))}
				<dt className="font-semibold">Result</dt>
				<dd className="m-0 text-end font-semibold tabular-nums">{result}</dd>
			</dl>
		</div>
	);
}

/** Published rates a mile; those in the fleet's own currency fill in the form. */
function Presets({ path }: { path: string }) {
	const { currency, distanceUnit } = fleetUnits();
	if (distanceUnit !== "mi") return null;
	return (
		<ul className="grid gap-1 text-sm text-quiet">
			{Object.entries(PRESETS).map(([name, preset]) => (
				<li key={name}>
					{preset.currency === currency ? (
						<a className="font-semibold text-accent underline" href={`${path}&preset=${name}`}>
							Fill in {preset.label}
						</a>
					) : (
						<span className="font-semibold">{preset.label}</span>
					)}
					{`: ${preset.text}. Check it before you save.`}
				</li>
			))}
		</ul>
	);
}

export function AgreementDialog({
	data: { person, week },
	answer,
}: {
	data: DriverData;
	answer: WeekAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<keyof typeof FIELDS | "key", string>>({
		id: "agreement-form",
		lastResult: answer?.form ?? null,
		defaultValue: week.start?.values ?? {},
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	if (week.dialog !== "agreement" || !week.start) return null;
	const key = answer?.needsNewKey ? week.newKey : fields.key.initialValue || week.newKey;
	// Below the fields, unless it was asked for.
	const current = answer?.form ? undefined : week.start.preview;
	const line = (name: keyof typeof FIELDS, hint?: string) => (
		<TextField
			field={fields[name]}
			label={FIELDS[name].label}
			hint={hint}
			inputMode={KEYBOARDS[name].keyboard}
		/>
	);
	return (
		<UrlDialog
			id="agreement"
			title={`Agreement with ${person.name}`}
			back={`${driverPath(person.id)}#agreement`}
			startsAtTitle
		>
			<p className="text-quiet">
				Earlier agreements are kept. No tax, VAT, social insurance or minimum wage is worked out.
			</p>
			{answer?.preview ? <Shown preview={answer.preview} /> : null}
			<DialogForm
				dialog="agreement"
				action={week.agreementPath}
				hidden={{ intent: "agreement", key, seen: answer?.seen || week.openedAt }}
				submit={{ label: "Save agreement", pending: "Saving..." }}
				aside={
					<Button variant="outline" name="preview" value="yes" pending="Working it out...">
						Preview
					</Button>
				}
			>
				<Problems problems={form.errors ?? []} takesFocus />
				<TextField
					field={fields.from}
					label={FIELDS.from.label}
					hint="The first day of a week, which can be in the past"
					type="date"
				/>
				<div className="grid items-start gap-4 sm:grid-cols-2">
					{line("faresPercent")}
					<SelectField
						field={fields.base}
						label={FIELDS.base.label}
						options={toOptions(BASES, BASE_LABELS)}
					/>
					{line("tipsPercent")}
					{line("promotionsPercent")}
					<SelectField
						field={fields.tollsTo}
						label={FIELDS.tollsTo.label}
						options={toOptions(TOLL_OWNERS, TOLL_LABELS)}
					/>
					{line("fleetPercent", "Of the driver's part of the fares")}
					{line("weeklyRent")}
					{line("weeklyFee")}
					{line("perMileMills", `725 is ${formatMills(725)}`)}
					{line("thresholdMiles", "Leave empty for no limit")}
					{line("thereafterMills")}
					<SelectField
						field={fields.taxYearStart}
						label={FIELDS.taxYearStart.label}
						options={[["", "Without a threshold"], ...toOptions(TAX_YEAR_STARTS, TAX_YEAR_LABELS)]}
					/>
				</div>
				<Presets path={week.agreementPath} />
				{current ? <Shown preview={current} /> : null}
			</DialogForm>
		</UrlDialog>
	);
}
