/**
 * How long each field of our forms may be, by its name: what is longer is cut before anything else
 * sees it.
 */
import { newPersonInput } from "../domain/drivers/input.ts";
import { invitationsInput } from "../domain/drivers/invitations.ts";
import {
	answerForm,
	messageInput,
	processRequestInput,
	submitRequestInput,
} from "../domain/fund-requests/input.ts";
import { MAX_BULK_SIZE } from "../domain/fund-requests/rules.ts";
import { logMileageInput, voidMileageAsAdminInput } from "../domain/mileage/input.ts";
import { paymentInput, reopenPayoutInput } from "../domain/payouts/input.ts";
import { addFeeInput } from "../domain/uber-fees/input.ts";
import { ANY_DAY } from "../values/date-input.ts";
import { fieldNames, type InputSchema, maxLengthOf, SHORT_TEXT } from "../values/fields.ts";
import { LONGEST_RETURN } from "./return-to.ts";

const SCHEMAS: readonly InputSchema[] = [
	newPersonInput,
	invitationsInput,
	logMileageInput(ANY_DAY),
	voidMileageAsAdminInput,
	submitRequestInput,
	processRequestInput,
	answerForm,
	messageInput,
	addFeeInput(ANY_DAY),
	paymentInput(ANY_DAY),
	reopenPayoutInput,
];

/** As many ids as one decision may name, with a space after each. */
const ALL_IDS = 37 * MAX_BULK_SIZE;
/**
 * Fields of a form with a table around it: every row ticked, and what says what to do with them.
 */
export const ROWS_FIELD_LIMIT = MAX_BULK_SIZE + 10;

/** Whom a platform's drivers are: thousands of pairs of ids as JSON. */
const ALL_DRIVERS = 512 * 1024;

const limits = new Map([
	["returnTo", LONGEST_RETURN],
	["ids", ALL_IDS],
	["drivers", ALL_DRIVERS],
]);
for (const schema of SCHEMAS)
	for (const name of fieldNames(schema))
		limits.set(name, Math.max(limits.get(name) ?? 0, maxLengthOf(schema, name)));

/**
 * Characters that a field of this name may have in any form; a name that no list above has is a
 * choice, an id or an amount.
 */
export const maxLengthFor = (name: string): number => limits.get(name) ?? SHORT_TEXT;
