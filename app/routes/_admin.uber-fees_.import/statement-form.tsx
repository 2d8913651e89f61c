/** What a statement asks before it is imported: its period, columns and drivers. */
import {
	alwaysValue,
	COLUMN_LABELS,
	COLUMNS,
	columnField,
	OPTIONAL_COLUMNS,
} from "../../domain/statements/columns.ts";
import { categoryText, FEE_CATEGORIES } from "../../domain/uber-fees/rules.ts";
import { Island } from "../../islands/island.tsx";
import PersonSearch from "../../islands/person-search.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { NativeSelect } from "../../ui/primitives/native-select.tsx";
import { formatCount } from "../../values/count.ts";
import type { StatementView } from "./statement-view.server.ts";

type Props = { statement: StatementView };

type ChoiceProps = Record<"name" | "value" | "label", string> & { isChecked: boolean };

const Yes = (props: ChoiceProps) => <Choice {...props} type="checkbox" />;

function Choice({
	name,
	value,
	label,
	isChecked,
	type = "radio",
}: ChoiceProps & { type?: "radio" | "checkbox" }) {
	return (
		<label className="flex min-h-11 items-center gap-3">
			<input
				type={type}
				className="size-5 shrink-0"
				name={name}
				value={value}
				defaultChecked={isChecked}
			/>
			<span className="min-w-0">{label}</span>
		</label>
	);
}

function Period({ statement }: Props) {
	const { asksPeriod } = statement;
	if (!asksPeriod) return null;
	return (
		<fieldset className="grid gap-4 sm:grid-cols-2">
			<legend className="mb-2 font-semibold">
				Which days does this statement cover? The file name doesn't say.
			</legend>
			{(["from", "to"] as const).map((name) => (
				<PlainField key={name} id={name} label={name === "from" ? "First day" : "Last day"}>
					{(control) => (
						<Input {...control} type="date" name={name} defaultValue={asksPeriod[name]} />
					)}
				</PlainField>
			))}
		</fieldset>
	);
}

function Driver({ statement, position }: Props & { position: number }) {
	const driver = statement.drivers[position];
	if (!driver) return null;
	const name = `driver-${position}`;
	return (
		<>
			<input type="hidden" name={`platform-${position}`} value={driver.identity} />
			<PlainField
				id={name}
				label={driver.name || driver.platformId}
				hint={
					driver.name && driver.platformId ? `${driver.platformId} · ${driver.has}` : driver.has
				}
			>
				{(control) =>
					statement.people ? (
						<NativeSelect {...control} name={name} defaultValue={driver.suggested}>
							<option value="">Not now</option>
							{statement.people.map(({ id, label }) => (
								<option key={id} value={id}>
									{label}
								</option>
							))}
						</NativeSelect>
					) : (
						<Island
							name="person-search"
							component={PersonSearch}
							className="flex"
							props={{
								id: control.id,
								textName: name,
								idName: name,
								scope: "approvedDrivers",
								text: driver.suggestedLabel,
								placeholder: "Name, driver ID or email",
								describedBy: control["aria-describedby"] ?? "",
								...(driver.suggested
									? { chosen: { id: driver.suggested, label: driver.suggestedLabel } }
									: {}),
							}}
						/>
					)
				}
			</PlainField>
		</>
	);
}

function Drivers({ statement }: Props) {
	if (statement.drivers.length === 0) return null;
	return (
		<fieldset className="grid gap-4 sm:grid-cols-2">
			<legend className="mb-2 font-semibold">
				Who are these drivers? Your answer is remembered for the next statement.
			</legend>
			{statement.drivers.map(({ identity }, position) => (
				<Driver key={identity} statement={statement} position={position} />
			))}
			{statement.moreDrivers > 0 ? (
				<p className="text-quiet sm:col-span-2">
					{`${formatCount(statement.moreDrivers)} more after these are matched`}
				</p>
			) : null}
		</fieldset>
	);
}

/** What each column is, in a file with custom columns. */
function ChosenColumns({ statement }: Props) {
	const { chosenColumns } = statement;
	if (!chosenColumns) return null;
	const { head, fields, missing, unrecognized } = chosenColumns;
	return (
		<fieldset className="grid gap-4">
			<legend className="mb-2 font-semibold">What is in its columns?</legend>
			<p className="text-quiet">{`${unrecognized} Its rows are read by the columns below.`}</p>
			{missing.length > 0 ? (
				<Alert variant="bad" id="missing">
					{missing.map((words) => (
						<p key={words}>{words}</p>
					))}
				</Alert>
			) : null}
			<div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-4 lg:grid-cols-3">
				{COLUMNS.map((column) => (
					<PlainField
						key={column}
						id={columnField(column)}
						label={COLUMN_LABELS[column]}
						isOptional={OPTIONAL_COLUMNS.includes(column)}
					>
						{(control) => (
							<NativeSelect
								{...control}
								name={columnField(column)}
								defaultValue={fields[columnField(column)]}
							>
								<option value="">
									{OPTIONAL_COLUMNS.includes(column) ? "None" : "Choose a column"}
								</option>
								{head.map((name, position) => (
									// biome-ignore lint/suspicious/noArrayIndexKey: the position is what the option means
									<option key={position} value={String(position)}>
										{name}
									</option>
								))}
								{column === "category"
									? FEE_CATEGORIES.map((category) => (
											<option key={category} value={alwaysValue(category)}>
												{`Always: ${categoryText(category)}`}
											</option>
										))
									: null}
							</NativeSelect>
						)}
					</PlainField>
				))}
			</div>
		</fieldset>
	);
}

export function StatementForm({ statement }: Props) {
	const { overlap, changed, unproven } = statement;
	const hasQuestions =
		statement.chosenColumns ||
		statement.asksPeriod ||
		overlap ||
		changed ||
		unproven ||
		statement.drivers.length > 0;
	return (
		<form
			method="post"
			action={`/uber-fees/import?statement=${statement.id}`}
			className="grid gap-5"
		>
			<input type="hidden" name="id" value={statement.id} />
			<input type="hidden" name="seen" value={statement.seen} />
			<ChosenColumns statement={statement} />
			<Period statement={statement} />
			{overlap ? (
				<Alert variant="wait">
					{overlap.words ? <p>{overlap.words}</p> : null}
					<Yes name="overlap" value="yes" label="Import anyway" isChecked={overlap.isConfirmed} />
				</Alert>
			) : null}
			{unproven ? (
				<Alert variant="wait">
					<p>{unproven.words}</p>
					<Yes name="unproven" value="yes" label="Keep it" isChecked={unproven.isConfirmed} />
				</Alert>
			) : null}
			{changed ? (
				<Alert variant="wait">
					<fieldset>
						<legend>{changed.words}</legend>
						<Choice
							{...{ name: "changed", value: "replace", label: "Replace the recorded amounts" }}
							isChecked={changed.answer === "replace"}
						/>
						<Choice
							{...{ name: "changed", value: "keep", label: "Keep the recorded amounts" }}
							isChecked={changed.answer === "keep"}
						/>
					</fieldset>
				</Alert>
			) : null}
			<Drivers statement={statement} />
			<div className="flex flex-wrap gap-3">
				{statement.nothingLeft ? null : (
					<Button name="intent" value="import-statement" pending="Importing..." size="wide">
						{statement.button}
					</Button>
				)}
				{hasQuestions ? (
					<Button name="intent" value="answer" variant="outline" pending="Updating..." size="wide">
						Update preview
					</Button>
				) : null}
			</div>
		</form>
	);
}
