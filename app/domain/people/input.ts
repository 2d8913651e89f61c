/** The rules for names and emails, with their messages (docs/product.md §5). */
import * as v from "valibot";
import { requiredText, submissionKey } from "../../values/fields.ts";
import { PERSON_FIELDS } from "./fields.ts";
import { faultOfName } from "./name.ts";
import { normalizeEmail } from "./rules.ts";

/** Checks a name, and makes its blanks single ones. */
const name = v.pipe(
	v.string(),
	v.rawCheck(({ dataset, addIssue }) => {
		const message = dataset.typed ? faultOfName(dataset.value) : undefined;
		if (message !== undefined) addIssue({ message });
	}),
	v.transform((text) => text.replace(/\s+/g, " ")),
);
export const firstName = v.pipe(requiredText(PERSON_FIELDS.firstName.missing, 80), name);
export const lastName = v.pipe(requiredText(PERSON_FIELDS.lastName.missing, 80), name);

/** An email, normalized. */
export const email = v.pipe(
	requiredText(PERSON_FIELDS.email.missing, 254),
	v.transform(normalizeEmail),
	v.string("Enter an email address, such as name@example.com"),
);

/** Profile update (docs/product.md §3). */
export const profileInput = v.object({ firstName, lastName });
export type ProfileInput = v.InferOutput<typeof profileInput>;

/** Add Driver and Create Admin. */
export const newPersonInput = v.object({ email, firstName, lastName, key: submissionKey });
export type NewPersonInput = v.InferOutput<typeof newPersonInput>;

/** A corrected name. */
export const renameInput = profileInput;

/** The driver ID of a former driver, typed as confirmation. */
export const pseudonymizeInput = v.object({ code: requiredText("Type the driver ID", 40) });
