/**
 * A field for one person: a select in a small fleet, a search in a larger one. The search is part
 * of its form: what is typed is sent with everything else, and the answer is the same form with the
 * found people as choices.
 */
import type { PersonChoice as Choice } from "../domain/people/choice.ts";
import { resultCount, searchFieldNames } from "../domain/people/choice.ts";
import { Island } from "../islands/island.tsx";
import PersonSearch from "../islands/person-search.tsx";
import { controlProps, PlainField } from "./forms/plain-fields.tsx";
import { Button } from "./primitives/button.tsx";
import { FieldDescription, FieldError, type FieldErrors } from "./primitives/field.tsx";
import { NativeSelect } from "./primitives/native-select.tsx";

type Props = {
	/** The field with the id; the search fields are named after it. */
	readonly name: string;
	readonly label: string;
	readonly choice: Choice;
	/** The option for nobody in particular: its value and label. */
	readonly nobody: { readonly value: string; readonly label: string };
	/** The post's own button that only searches; a GET form has its Apply. */
	readonly find?: { readonly intent: string };
	readonly errors?: FieldErrors;
	/** What the page shows until someone is chosen, as a sentence: for a filter. */
	readonly meanwhile?: string;
	readonly isRequired?: boolean;
	/** Prefix for the ids of its controls, if another form on the page has a field with that name. */
	readonly idPrefix?: string;
};

function Search({ name, label, choice, nobody, find, errors, meanwhile, idPrefix = "" }: Props) {
	const { search, searched } = searchFieldNames(name);
	const { chosen, people, text } = choice;
	const others = people.filter(({ id }) => id !== chosen?.id);
	const options = [...(chosen ? [chosen] : []), ...others];
	// A single match counts as chosen.
	const checked = chosen?.id ?? choice.match?.id ?? nobody.value;
	const boxId = `${idPrefix}${search}`;
	const control = controlProps(boxId, errors, true);
	const isUnsettled = choice.isOpen && meanwhile !== undefined;
	const next = people.length > 0 ? " Select one below, then choose Apply." : "";
	const found = errors?.length ? "" : resultCount(choice);
	return (
		<fieldset className="grid min-w-0 content-start gap-2">
			<legend className="mb-1 font-semibold">{label}</legend>
			<div className="flex items-start gap-2">
				<Island
					name="person-search"
					component={PersonSearch}
					className="flex min-w-0 flex-1"
					props={{
						id: boxId,
						textName: search,
						idName: name,
						label: `Find ${label.toLowerCase()}`,
						scope: choice.scope,
						text,
						describedBy: control["aria-describedby"] ?? "",
						isFaulty: Boolean(errors?.length),
						// The answer to the search.
						hasFocus: Boolean(errors?.length || (find && choice.isOpen)),
						...(chosen ? { chosen: { id: chosen.id, label: chosen.label } } : {}),
					}}
				/>
				{find ? (
					<span data-person-find="" className="contents [&[hidden]]:hidden">
						<Button variant="outline" name="intent" value={find.intent} pending="Finding...">
							Find
						</Button>
					</span>
				) : null}
			</div>
			<FieldError id={`${boxId}-error`} errors={errors} />
			<FieldDescription id={`${boxId}-hint`}>Search by name, driver ID or email.</FieldDescription>
			<input type="hidden" name={searched} value={text} />
			{found ? (
				<p
					role="status"
					className={
						isUnsettled
							? "rounded-md border-s-4 border-wait bg-wait-soft p-2 font-semibold text-wait"
							: "text-sm font-semibold"
					}
				>
					{isUnsettled ? `${found} ${meanwhile}${next}` : found}
				</p>
			) : null}
			{/* With a script the box above replaces this list, unless it answers what was typed. */}
			<ul
				data-person-list={people.length > 0 ? "answer" : ""}
				className="grid max-h-72 gap-1 overflow-y-auto [&[hidden]]:hidden"
			>
				{[{ id: nobody.value, label: nobody.label, email: null }, ...options].map((person) => (
					<li key={person.id}>
						<label className="flex min-h-11 items-center gap-3 rounded-md px-2 hover:bg-sunken">
							<input
								type="radio"
								className="size-5 shrink-0"
								name={name}
								value={person.id}
								defaultChecked={person.id === checked}
							/>
							<span className="grid min-w-0">
								<span className="wrap-anywhere">{person.label}</span>
								{person.email ? (
									<span className="text-sm wrap-anywhere text-quiet">{person.email}</span>
								) : null}
							</span>
						</label>
					</li>
				))}
			</ul>
		</fieldset>
	);
}

function PersonSelect({ name, label, choice, nobody, errors, isRequired, idPrefix = "" }: Props) {
	const { chosen, people } = choice;
	// Someone who has left is no longer listed, but stays chosen.
	const isListed = chosen === undefined || people.some(({ id }) => id === chosen.id);
	const hasNobody = isRequired && !chosen && people.length === 0;
	return (
		<PlainField id={`${idPrefix}${name}`} label={label} errors={errors}>
			{(control) => (
				<NativeSelect
					{...control}
					name={name}
					defaultValue={chosen?.id ?? nobody.value}
					{...(isRequired ? { "aria-required": "true" as const } : {})}
				>
					<option value={nobody.value}>{hasNobody ? "No drivers to select" : nobody.label}</option>
					{people.map((person) => (
						<option key={person.id} value={person.id}>
							{person.label}
						</option>
					))}
					{isListed ? null : <option value={chosen.id}>{chosen.label}</option>}
				</NativeSelect>
			)}
		</PlainField>
	);
}

export function PersonChoice(props: Props) {
	return props.choice.isSearch ? <Search {...props} /> : <PersonSelect {...props} />;
}
