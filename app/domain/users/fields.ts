/**
 * The fields of the forms about a person: a driver's own profile, Add Driver, Create Admin and
 * Rename Driver.
 */
import type { FormFields } from "../../values/form-field.ts";

export const PERSON_FIELDS = {
	email: { label: "Email", kind: "line", missing: "Email is required" },
	firstName: { label: "First Name", kind: "line", missing: "First name is required" },
	lastName: { label: "Last Name", kind: "line", missing: "Last name is required" },
} as const satisfies FormFields;
