/** A form field's label and type, for everything that renders the form. */

/** One field of a form. A person's is a select of ids, plus a search in a large fleet. */
export type FormField = {
	readonly label: string;
	readonly kind: "line" | "long" | "date" | "choice" | "person";
	/** The keyboard of a phone; its usual one by default. */
	readonly keyboard?: "numeric" | "decimal";
	/** The message when it is left empty; undefined for optional fields. */
	readonly missing?: string;
	/** The form starts with a value in it that nobody typed. */
	readonly isFilledIn?: true;
};

/** The fields of a form by their names, in the form's order. */
export type FormFields = Readonly<Record<string, FormField>>;
