/** A trip in the API's answers. */
import * as v from "valibot";
import { mileageLogs } from "../../db/schema.ts";
import { driverCode } from "../../values/shapes.ts";
import { wireShape } from "../kernel/record-shape.server.ts";
import { TRIP } from "./record.ts";

export const tripShape = v.strictObject({
	...wireShape(TRIP, mileageLogs),
	driverIdCode: driverCode,
	status: v.picklist(["logged", "voided"]),
	flags: v.pipe(v.array(v.string()), v.description("What looks wrong with it, in words.")),
});
