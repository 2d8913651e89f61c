/**
 * The fields of a person created by an administrator (docs/product.md §5), and a corrected name.
 */
import * as v from "valibot";
import { requiredText, submissionKey } from "../../values/fields.ts";
import { email, firstName, lastName, profileInput } from "../users/input.ts";

/** Add Driver and Create Admin. */
export const newPersonInput = v.object({ email, firstName, lastName, key: submissionKey });
export type NewPersonInput = v.InferOutput<typeof newPersonInput>;

/** A corrected name. */
export const renameInput = profileInput;

/** The driver ID of a former driver, typed as confirmation. */
export const pseudonymizeInput = v.object({ code: requiredText("Type the driver ID", 40) });
