/** The payload of a new token. */
import * as v from "valibot";
import { requiredText, rowId, submissionKey } from "../../values/fields.ts";
import { TOKEN_FIELDS } from "./fields.ts";
import { DEFAULT_DAYS, MAX_DAYS, MAX_NAME_LENGTH, SCOPE_LABELS, type TokenScope } from "./rules.ts";

const SCOPES = Object.keys(SCOPE_LABELS) as [TokenScope, ...TokenScope[]];
const DAYS_WORDS = `Enter a whole number from 1 to ${MAX_DAYS}`;

export const newTokenInput = v.object({
	name: v.pipe(
		requiredText(TOKEN_FIELDS.name.missing, MAX_NAME_LENGTH),
		v.transform((text) => text.replace(/\s+/g, " ")),
	),
	scope: v.pipe(v.optional(v.string(), ""), v.picklist(SCOPES, TOKEN_FIELDS.scope.missing)),
	days: v.pipe(
		v.optional(v.string(), String(DEFAULT_DAYS)),
		v.trim(),
		v.regex(/^\d{1,3}$/, DAYS_WORDS),
		v.transform(Number),
		v.minValue(1, DAYS_WORDS),
		v.maxValue(MAX_DAYS, DAYS_WORDS),
	),
	key: submissionKey,
});
export type NewTokenInput = v.InferOutput<typeof newTokenInput>;

export const tokenIdInput = v.object({ id: rowId });
