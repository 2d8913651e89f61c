/** The rules for names and emails, with their messages (docs/product.md §5). */
import * as v from "valibot";
import { requiredText, rowId, submissionKey } from "../../values/fields.ts";
import { PERSON_FIELDS } from "./fields.ts";
import { faultOfName } from "./name.ts";
import { NO_SUCH_DRIVER, normalizeEmail, OFFICE_ROLES } from "./rules.ts";

/** Checks a name, and collapses its blanks. */
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

/** Separate, so that a missing driver isn't also an unknown one. */
const knownDriver = v.custom<string>((text) => v.is(rowId, text), NO_SUCH_DRIVER);
/**
 * The user id of the driver that a payload is about.
 * @param missing the message when it is absent
 */
export const driverIdOr = (missing: string) =>
	v.pipe(v.optional(v.string(), ""), v.trim(), v.nonEmpty(missing), knownDriver);

/** Profile update (docs/product.md §3). */
export const profileInput = v.object({ firstName, lastName });
export type ProfileInput = v.InferOutput<typeof profileInput>;

/** Add Driver and Create Admin. */
export const newPersonInput = v.object({ email, firstName, lastName, key: submissionKey });
/** Create Admin: with full access, unless it says otherwise. */
export const newAdminInput = v.object({
	...newPersonInput.entries,
	role: v.pipe(
		v.optional(v.string(), "admin"),
		v.transform((sent) => sent || "admin"),
		v.picklist(OFFICE_ROLES, "Choose administrator or accountant"),
	),
});
export type NewPersonInput = v.InferOutput<typeof newPersonInput>;

/** A corrected name. */
export const renameInput = profileInput;

/** The driver ID of a former driver, typed as confirmation. */
export const pseudonymizeInput = v.object({ code: requiredText("Type the driver ID", 40) });
