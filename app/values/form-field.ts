/** What a form's field is called and what it holds, for everything that draws the form. */

/** One field of a form. A person's is a choice of ids, with a search beside it in a large fleet. */
export type FormField = {
	readonly label: string;
	readonly kind: "line" | "long" | "date" | "choice" | "person";
	/** What is said when it is left empty; a field that may be empty has none. */
	readonly missing?: string;
};

/** The fields of a form by their names, in the form's order. */
export type FormFields = Readonly<Record<string, FormField>>;
