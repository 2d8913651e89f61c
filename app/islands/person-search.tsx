/**
 * The search box for one person: a working text field that, once hydrated, suggests people as you
 * type. Without it the form's own search shows a list.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { CONTROL, LINE } from "../class-names.ts";

type Suggestion = { readonly id: string; readonly label: string; readonly email: string | null };

export type PersonSearchProps = {
	readonly id: string;
	/** The name of the typed text while nobody is chosen. */
	readonly textName: string;
	/** The field with the chosen person's id. */
	readonly idName: string;
	/** The label of the box, if there is no visible one. */
	readonly label?: string;
	/** The form's scope (`PeopleScope`). */
	readonly scope: string;
	readonly text: string;
	/** The chosen person when the page loads. */
	readonly chosen?: { readonly id: string; readonly label: string };
	readonly describedBy?: string;
	readonly isFaulty?: boolean;
	readonly hasFocus?: boolean;
	readonly placeholder?: string;
};

/** How long a typing pause starts a search, in milliseconds. */
const PAUSE_MS = 150;

/** The people in a response, and the sentence that counts them; nothing for any other response. */
async function suggestionsFrom(response: Response) {
	if (!response.ok) return undefined;
	const { people, found }: { people: Suggestion[]; found: string } = await response.json();
	return { people, found };
}

/**
 * The radio buttons of the page's own search: the box replaces them, unless they answer what was
 * typed.
 */
function takeOver(input: HTMLInputElement): HTMLInputElement | undefined {
	const fieldset = input.closest("fieldset");
	const list = fieldset?.querySelector<HTMLElement>("[data-person-list]");
	const checked = list?.querySelector<HTMLInputElement>("input:checked");
	fieldset?.querySelector("[data-person-find]")?.setAttribute("hidden", "");
	if (list && !list.dataset.personList) list.hidden = true;
	return checked ?? undefined;
}

/** Clears the page's own list: the box decides. */
function untick(input: HTMLInputElement | null): void {
	const radios = input?.closest("fieldset")?.querySelectorAll<HTMLInputElement>("[type=radio]");
	for (const radio of radios ?? []) radio.checked = false;
}

export default function PersonSearch(props: PersonSearchProps) {
	const { id, scope } = props;
	const field = useRef<HTMLInputElement>(null);
	const asking = useRef<{ timer?: number; request?: AbortController; isDue?: boolean }>({});
	const [isAwake, setAwake] = useState(false);
	const [picked, setPicked] = useState<string>();
	const [people, setPeople] = useState<readonly Suggestion[]>([]);
	const [isOpen, setOpen] = useState(false);
	const [active, setActive] = useState(-1);
	const [status, setStatus] = useState("");

	useEffect(() => {
		const input = field.current;
		if (!input) return;
		setAwake(true);
		const checked = takeOver(input);
		const { chosen } = props;
		// What was typed before hydration is searched for as well.
		const isTyped = input.value !== props.text && input.value !== chosen?.label;
		if (isTyped && input === document.activeElement)
			input.dispatchEvent(new Event("input", { bubbles: true }));
		// The page's chosen person is shown in the box, unless something else was typed meanwhile.
		if (!chosen || checked?.value !== (checked ? chosen.id : undefined)) return;
		if (input.value === props.text || input.value === chosen.label) {
			input.value = chosen.label;
			setPicked(chosen.id);
			if (checked) untick(input);
		}
	}, [props]);

	const stop = () => {
		clearTimeout(asking.current.timer);
		asking.current.request?.abort();
	};
	/** Nothing is known about what is typed: suggestions for an earlier text would answer this one. */
	const forget = () => {
		asking.current.isDue = false;
		setPeople([]);
		setStatus("");
		setOpen(false);
	};
	const close = () => {
		stop();
		if (asking.current.isDue) forget();
		setOpen(false);
		setActive(-1);
	};

	const ask = (text: string) => {
		stop();
		setPicked(undefined);
		setActive(-1);
		if (text.trim() === "") return forget();
		asking.current.isDue = true;
		asking.current.timer = window.setTimeout(() => {
			const request = new AbortController();
			asking.current.request = request;
			const query = new URLSearchParams({ search: text, among: scope });
			fetch(`/api/people?${query}`, { signal: request.signal })
				.then(suggestionsFrom)
				.then((answer) => {
					if (request.signal.aborted) return;
					if (!answer) return forget();
					asking.current.isDue = false;
					setPeople(answer.people);
					setStatus(answer.found);
					setOpen(answer.people.length > 0);
				})
				// Offline, or no longer signed in: the form's own search says so.
				.catch(() => {
					if (!request.signal.aborted) forget();
				});
		}, PAUSE_MS);
	};

	const pick = (person: Suggestion) => {
		close();
		untick(field.current);
		if (field.current) field.current.value = person.label;
		setPicked(person.id);
		setStatus(`${person.label} selected.`);
	};

	const move = (step: number) => {
		setOpen(true);
		setActive((now) => (now < 0 && step < 0 ? people.length - 1 : now + step) % people.length);
	};

	const press = (event: KeyboardEvent) => {
		const chosen = isOpen ? people[active] : undefined;
		if (event.key === "Enter" && chosen) {
			event.preventDefault();
			pick(chosen);
		} else if (event.key === "Escape" && isOpen) {
			// Closes an open list, not the dialog around it.
			event.preventDefault();
			close();
		} else if (people.length > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
			event.preventDefault();
			move(event.key === "ArrowDown" ? 1 : -1);
		}
	};

	const optionId = (position: number) => `${id}-option-${position}`;
	const combobox = isAwake
		? {
				role: "combobox",
				"aria-autocomplete": "list" as const,
				"aria-expanded": isOpen,
				"aria-controls": `${id}-options`,
				...(isOpen && active >= 0 ? { "aria-activedescendant": optionId(active) } : {}),
			}
		: {};
	return (
		<div className="relative grid min-w-0 flex-1 gap-1">
			<input
				ref={field}
				id={id}
				type="search"
				maxLength={255}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				defaultValue={props.text}
				className={`${CONTROL} ${LINE}`}
				{...(picked ? {} : { name: props.textName })}
				{...(props.label ? { "aria-label": props.label } : {})}
				{...(props.placeholder ? { placeholder: props.placeholder } : {})}
				{...(props.describedBy ? { "aria-describedby": props.describedBy } : {})}
				{...(props.isFaulty ? { "aria-invalid": true } : {})}
				{...(props.hasFocus ? { autoFocus: true } : {})}
				{...combobox}
				onInput={(event) => ask(event.currentTarget.value)}
				onKeyDown={press}
				onBlur={close}
			/>
			{picked ? <input type="hidden" name={props.idName} value={picked} /> : null}
			{isAwake ? (
				<>
					<div
						role="listbox"
						id={`${id}-options`}
						aria-label="Suggestions"
						hidden={!isOpen}
						className="absolute inset-x-0 top-12 z-30 max-h-72 overflow-y-auto rounded-md border border-field bg-surface py-1 shadow-lg"
					>
						{people.map((person, position) => (
							// biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed in the box
							// biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
							<div
								key={person.id}
								role="option"
								id={optionId(position)}
								aria-selected={position === active}
								ref={
									position === active ? (row) => row?.scrollIntoView({ block: "nearest" }) : null
								}
								className={`grid min-h-11 cursor-pointer content-center px-3 py-1 wrap-anywhere ${position === active ? "bg-accent-soft text-accent" : "hover:bg-sunken"}`}
								// The focus stays in the box.
								onPointerDown={(event) => event.preventDefault()}
								onClick={() => pick(person)}
							>
								<span>
									<bdi>{person.label}</bdi>
								</span>
								{person.email ? <span className="text-sm text-quiet">{person.email}</span> : null}
							</div>
						))}
					</div>
					<p role="status" className={people.length > 0 || picked ? "sr-only" : "text-sm"}>
						{status}
					</p>
				</>
			) : null}
		</div>
	);
}
