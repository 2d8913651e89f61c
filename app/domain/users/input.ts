/** What a person's name and address must be, and with which words (spec §5). */
import * as v from "valibot";
import { requiredText } from "../../values/fields.ts";
import { normalisedEmail } from "./rules.ts";

export const firstName = requiredText("First name is required", 80);
export const lastName = requiredText("Last name is required", 80);

/** An address, normalised. */
export const email = v.pipe(
	requiredText("Email is required", 254),
	v.transform(normalisedEmail),
	v.string("Please enter an e-mail address such as name@example.com"),
);

/** Profile update (spec §3). */
export const profileInput = v.object({ firstName, lastName });
export type ProfileInput = v.InferOutput<typeof profileInput>;
