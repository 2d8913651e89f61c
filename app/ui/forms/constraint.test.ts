import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { AGREEMENT_FIELDS } from "../../domain/agreements/fields.ts";
import { newAgreementInput } from "../../domain/agreements/input.ts";
import { CHARGE_FIELDS } from "../../domain/charges/fields.ts";
import { newChargeInput } from "../../domain/charges/input.ts";
import { DECISION_FIELDS, REQUEST_FIELDS } from "../../domain/fund-requests/fields.ts";
import {
	decisionForm,
	processRequestInput,
	submitRequestInput,
} from "../../domain/fund-requests/input.ts";
import { MILEAGE_FIELDS, VOID_FIELDS } from "../../domain/mileage/fields.ts";
import { logMileageInput, voidMileageAsAdminInput } from "../../domain/mileage/input.ts";
import { ADMIN_FIELDS, PERSON_FIELDS } from "../../domain/people/fields.ts";
import { newAdminInput, newPersonInput } from "../../domain/people/input.ts";
import { LOG_FIELDS, REPORT_FIELDS } from "../../domain/reports/fields.ts";
import { mileageLogInput, reportInput } from "../../domain/reports/input.ts";
import { FEE_FIELDS } from "../../domain/uber-fees/fields.ts";
import { addFeeInput } from "../../domain/uber-fees/input.ts";
import { ANY_DAY } from "../../values/date-input.ts";
import type { InputSchema } from "../../values/fields.ts";
import type { FormFields } from "../../values/form-field.ts";
import { constraintOf } from "./constraint.ts";

const FORMS: readonly (readonly [string, FormFields, InputSchema])[] = [
	["mileage", MILEAGE_FIELDS, logMileageInput(ANY_DAY)],
	["voiding", VOID_FIELDS, voidMileageAsAdminInput],
	["requests", REQUEST_FIELDS, submitRequestInput(ANY_DAY)],
	["decisions", DECISION_FIELDS, decisionForm],
	["fees", FEE_FIELDS, addFeeInput(ANY_DAY)],
	["agreements", AGREEMENT_FIELDS, newAgreementInput(ANY_DAY, 1)],
	["charges", CHARGE_FIELDS, newChargeInput(ANY_DAY)],
	["people", PERSON_FIELDS, newPersonInput],
	["administrators", ADMIN_FIELDS, newAdminInput],
	["reports", REPORT_FIELDS, reportInput(ANY_DAY)],
	["mileage logs", LOG_FIELDS, mileageLogInput(ANY_DAY)],
];

describe("what a schema allows its fields", () => {
	it("is required where the schema refuses an absent field", () => {
		const { date, notes, key } = constraintOf(logMileageInput(ANY_DAY));
		expect([date?.required, notes?.required, key?.required]).toEqual([true, false, false]);
	});

	it("is as long as the schema allows", () => {
		expect(constraintOf(newPersonInput)).toMatchObject({
			email: { required: true, maxLength: 254 },
			firstName: { required: true, maxLength: 80 },
		});
		expect(constraintOf(logMileageInput(ANY_DAY)).notes?.maxLength).toBe(1000);
		expect(constraintOf(processRequestInput).adminNotes?.maxLength).toBe(2000);
	});
});

describe.each(FORMS)("the fields of %s", (_, fields, schema) => {
	it("are all in its schema", () => {
		expect(Object.keys(schema.entries)).toEqual(expect.arrayContaining(Object.keys(fields)));
	});

	it("say the same about an empty one as the schema", () => {
		for (const [name, { missing }] of Object.entries(fields)) {
			if (missing === undefined) continue;
			const entry = schema.entries[name];
			const result = entry && v.safeParse(entry, undefined);
			expect(
				result?.issues?.map(({ message }) => message),
				name,
			).toEqual([missing]);
		}
	});

	it("may be empty where they have no message for that", () => {
		for (const [name, { kind, missing }] of Object.entries(fields)) {
			// A preselected choice and a prefilled year are never empty.
			if (fields === REPORT_FIELDS || fields === LOG_FIELDS) continue;
			expect(constraintOf(schema)[name]?.required, `${name}, a ${kind}`).toBe(
				missing !== undefined,
			);
		}
	});
});
