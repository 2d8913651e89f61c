/**
 * The maximum length of each form field, by name. Longer values are cut before anything else sees
 * them.
 */

import { newChargeInput } from "../domain/charges/input.ts";
import {
	answerForm,
	processRequestInput,
	submitRequestInput,
} from "../domain/fund-requests/input.ts";
import { MAX_BULK_SIZE } from "../domain/fund-requests/rules.ts";
import { messageInput } from "../domain/messages/input.ts";
import { logMileageInput, voidMileageAsAdminInput } from "../domain/mileage/input.ts";
import { paymentInput, reopenPayoutInput } from "../domain/payouts/input.ts";
import { newAdminInput } from "../domain/people/input.ts";
import { invitationsInput } from "../domain/people/invitations.ts";
import { newTokenInput } from "../domain/tokens/input.ts";
import { addFeeInput } from "../domain/uber-fees/input.ts";
import { newWebhookInput } from "../domain/webhooks/input.ts";
import { ANY_DAY } from "../values/date-input.ts";
import { fieldNames, type InputSchema, maxLengthOf, SHORT_TEXT } from "../values/fields.ts";
import { MAX_RETURN_LENGTH } from "./return-to.ts";

const SCHEMAS: readonly InputSchema[] = [
	newAdminInput,
	invitationsInput,
	logMileageInput(ANY_DAY),
	voidMileageAsAdminInput,
	submitRequestInput(ANY_DAY),
	processRequestInput,
	answerForm,
	messageInput,
	addFeeInput(ANY_DAY),
	paymentInput(ANY_DAY),
	reopenPayoutInput,
	newTokenInput,
	newChargeInput(ANY_DAY),
	newWebhookInput,
];

/** As many ids as one decision may name, each followed by a space. */
const ALL_IDS = 37 * MAX_BULK_SIZE;
/** The fields of a form around a table: one per ticked row, plus the action and its own fields. */
export const ROWS_FIELD_LIMIT = MAX_BULK_SIZE + 10;

/** The drivers of a platform's ids: thousands of pairs as JSON. */
const ALL_DRIVERS = 512 * 1024;

/** What a form was shown for: at most a section of settings as JSON. */
const SEEN = 1000;

const limits = new Map([
	["returnTo", MAX_RETURN_LENGTH],
	// More than it accepts: a list that was cut is refused, since its last line isn't whole.
	["people", maxLengthOf(invitationsInput, "people") + 1],
	["ids", ALL_IDS],
	["drivers", ALL_DRIVERS],
	["seen", SEEN],
]);
for (const schema of SCHEMAS)
	for (const name of fieldNames(schema))
		limits.set(name, Math.max(limits.get(name) ?? 0, maxLengthOf(schema, name)));

/**
 * The most characters that a field of this name may have in any form. A name that isn't in a list
 * above is a choice, an id or an amount.
 */
export const maxLengthFor = (name: string): number => limits.get(name) ?? SHORT_TEXT;
