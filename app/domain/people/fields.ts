/**
 * The fields of the forms about people: a driver's own profile, Add Driver, Create Admin and Rename
 * Driver; below, Add Many Drivers, and the confirmation of pseudonymizing one.
 */
import type { FormFields } from "../../values/form-field.ts";

export const PERSON_FIELDS = {
	email: { label: "Email", kind: "line", missing: "Email is required" },
	firstName: { label: "First Name", kind: "line", missing: "First name is required" },
	lastName: { label: "Last Name", kind: "line", missing: "Last name is required" },
} as const satisfies FormFields;

/** Create Admin. */
export const ADMIN_FIELDS = {
	...PERSON_FIELDS,
	role: { label: "Role", kind: "choice" },
} as const satisfies FormFields;

export const INVITATION_FIELDS = {
	people: { label: "Drivers, one per line", kind: "long" },
} as const satisfies FormFields;

export const PSEUDONYMIZE_FIELDS = {
	code: { label: "Driver ID", kind: "line" },
} as const satisfies FormFields;
