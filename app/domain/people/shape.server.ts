/** A user in the API's answers. */
import * as v from "valibot";
import { APPROVAL_STATUSES } from "../../db/schema.ts";
import { DISTANCE_UNITS } from "../../values/fleet-units.ts";
import { driverCode, id, moment } from "../../values/shapes.ts";
import { SHOWN_ROLES } from "../kernel/standing.ts";

export const userShape = v.strictObject({
	id,
	role: v.picklist(SHOWN_ROLES),
	firstName: v.string(),
	lastName: v.string(),
	email: v.nullable(v.string()),
	driverId: v.pipe(driverCode, v.description("The driver's code, null until they are approved.")),
	approvalStatus: v.picklist(APPROVAL_STATUSES),
	isActive: v.boolean(),
	createdAt: moment,
	approvedAt: v.nullable(moment),
	deletedAt: v.optional(
		v.pipe(moment, v.description("Only in a list of changes, once it is set.")),
	),
});

/** Who is signed in, with the units of their fleet's amounts and distances. */
export const selfShape = v.strictObject({
	...userShape.entries,
	fleet: v.strictObject({
		currency: v.pipe(v.string(), v.description("The ISO 4217 code that all amounts are in.")),
		distanceUnit: v.pipe(
			v.picklist(DISTANCE_UNITS),
			v.description("What all distances are in, also those whose names say miles."),
		),
	}),
});

/** What a search for people answers. */
export const peopleShape = v.strictObject({
	people: v.array(v.strictObject({ id, label: v.string(), email: v.nullable(v.string()) })),
	found: v.pipe(v.string(), v.description("How many there are, in words.")),
});
