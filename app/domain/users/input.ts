/** The rules for names and emails, with their messages (docs/product.md §5). */
import * as v from "valibot";
import { requiredText } from "../../values/fields.ts";
import { PERSON_FIELDS } from "./fields.ts";
import { normalizeEmail } from "./rules.ts";

/** A name is one line: it is used in subjects of emails and in rows of exports. */
const oneLine = v.transform((name: string) => name.replace(/\s+/g, " "));
export const firstName = v.pipe(requiredText(PERSON_FIELDS.firstName.missing, 80), oneLine);
export const lastName = v.pipe(requiredText(PERSON_FIELDS.lastName.missing, 80), oneLine);

/** An email, normalized. */
export const email = v.pipe(
	requiredText(PERSON_FIELDS.email.missing, 254),
	v.transform(normalizeEmail),
	v.string("Enter an email address, such as name@example.com"),
);

/** Profile update (docs/product.md §3). */
export const profileInput = v.object({ firstName, lastName });
export type ProfileInput = v.InferOutput<typeof profileInput>;
