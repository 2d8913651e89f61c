import { expect, it } from "vitest";
import { REQUEST_FIELDS } from "../domain/fund-requests/fields.ts";
import { MILEAGE_FIELDS } from "../domain/mileage/fields.ts";
import { findFault } from "./validation.ts";

const FORMS = [
	["mileage", MILEAGE_FIELDS, { date: "2026-11-21", startOdometer: "1", endOdometer: "2" }],
	["requests", REQUEST_FIELDS, { type: "gas", amount: "12", description: "Fuel" }],
] as const;

it.each(FORMS)(
	"says the same about an empty field of %s as the form's list",
	(form, fields, whole) => {
		expect(findFault(form, Object.entries(whole))).toBeUndefined();
		for (const [name, field] of Object.entries(fields)) {
			const others = Object.entries(whole).filter(([each]) => each !== name);
			expect(findFault(form, others), name).toBe("missing" in field ? field.missing : undefined);
		}
	},
);

it("says the same about reversed readings as the server", () => {
	const trip = { date: "2026-11-21", startOdometer: "2", endOdometer: "1" };
	expect(findFault("mileage", Object.entries(trip))).toMatch(/must be greater than/);
});
