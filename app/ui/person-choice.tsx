/**
 * A field that means one person: a select in a small fleet, a search in a larger one. The search is part of the form it stands in: what
 * is typed goes with everything else, and the answer is the same form with the people found as choices.
 */
import type { PersonChoice as Choice } from "../domain/users/choice.ts";
import { searchFieldsOf } from "../domain/users/choice.ts";
import { Button } from "./primitives/button.tsx";
import { controlOf, ErrorWords, Field, type FieldErrors, Input, Select } from "./primitives/field.tsx";

type Props = {
	/** The field that carries the id; the search fields beside it are named after it. */
	readonly name: string;
	readonly label: string;
	readonly choice: Choice;
	/** The choice of nobody in particular: what it carries and says. */
	readonly nobody: { readonly value: string; readonly label: string };
	/** The post's own button that looks for people and does nothing else; a GET form has its Apply. */
	readonly find?: { readonly intent: string };
	readonly errors?: FieldErrors;
	readonly isRequired?: boolean;
};

/** What a search has found, in one sentence. */
function outcome({ people, text, matched, hasMore }: Choice): string {
	if (text === "") return "";
	if (people.length === 0) return `Nobody found for '${text}'.`;
	const some = people.length === 1 ? "1 person" : `${people.length} people`;
	if (matched.length < text.length) return `Nobody found for all of '${text}'. These names begin with '${matched}'.`;
	return hasMore
		? `The first ${people.length} people found for '${text}'. Type more of the name to see others.`
		: `${some} found for '${text}'.`;
}

function Search({ name, label, choice, nobody, find, errors }: Props) {
	const { search, searched } = searchFieldsOf(name);
	const { chosen, people, text } = choice;
	const others = people.filter(({ id }) => id !== chosen?.id);
	const options = [...(chosen ? [chosen] : []), ...others];
	// The only one found is who was meant; nobody has to say so twice.
	const checked = chosen?.id ?? (others.length === 1 ? others[0]?.id : undefined) ?? nobody.value;
	const said = outcome(choice);
	const found = said && people.length > 0 && !find ? `${said} Choose below, then press Apply.` : said;
	return (
		<fieldset className="grid min-w-0 content-start gap-2">
			<legend className="mb-1 font-semibold">{label}</legend>
			<div className="flex gap-2">
				<Input
					{...controlOf(search, errors, true)}
					name={search}
					type="search"
					maxLength={40}
					autoComplete="off"
					aria-label={`Find ${label.toLowerCase()}`}
					defaultValue={text}
				/>
				{find ? (
					<Button look="plain" name="intent" value={find.intent} pending="Finding...">
						Find
					</Button>
				) : null}
			</div>
			<ErrorWords id={search} errors={errors} />
			<p id={`${search}-hint`} className="text-sm text-quiet">
				First or last name, driver code or e-mail address; its beginning is enough.
			</p>
			<input type="hidden" name={searched} value={text} />
			{found ? (
				<p role="status" className="text-sm font-semibold">
					{found}
				</p>
			) : null}
			<ul className="grid max-h-72 gap-1 overflow-y-auto">
				{[{ id: nobody.value, label: nobody.label, email: null }, ...options].map((person) => (
					<li key={person.id}>
						<label className="flex min-h-11 items-center gap-3 rounded-md px-2 hover:bg-sunken">
							<input type="radio" className="size-5 shrink-0" name={name} value={person.id} defaultChecked={person.id === checked} />
							<span className="grid min-w-0">
								<span className="wrap-anywhere">{person.label}</span>
								{person.email ? <span className="text-sm wrap-anywhere text-quiet">{person.email}</span> : null}
							</span>
						</label>
					</li>
				))}
			</ul>
		</fieldset>
	);
}

function Few({ name, label, choice, nobody, errors, isRequired }: Props) {
	const { chosen, people } = choice;
	// Whoever has left since is in the list no more, and stays chosen.
	const isListed = chosen === undefined || people.some(({ id }) => id === chosen.id);
	return (
		<Field id={name} label={label} errors={errors}>
			{(control) => (
				<Select
					{...control}
					name={name}
					defaultValue={chosen?.id ?? nobody.value}
					{...(isRequired ? { "aria-required": "true" as const } : {})}
				>
					<option value={nobody.value}>{nobody.label}</option>
					{people.map((person) => (
						<option key={person.id} value={person.id}>
							{person.label}
						</option>
					))}
					{isListed ? null : <option value={chosen.id}>{chosen.label}</option>}
				</Select>
			)}
		</Field>
	);
}

export function PersonChoice(props: Props) {
	return props.choice.isSearch ? <Search {...props} /> : <Few {...props} />;
}
