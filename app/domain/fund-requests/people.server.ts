/**
 * The people of a request, as every read of requests selects them: its driver from `users`, who
 * decided it from `deciders`.
 */
import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { users } from "../../db/schema.ts";

export const deciders = alias(users, "deciders");

/**
 * D1 answers a batch by column name, so two people in one row need different ones. There is always
 * a driver, so the driver's are renamed.
 */
export const DRIVER = {
	firstName: sql<string>`${users.firstName}`.as("driver_first_name"),
	lastName: sql<string>`${users.lastName}`.as("driver_last_name"),
	driverNumber: users.driverNumber,
};
export const DECIDER = { firstName: deciders.firstName, lastName: deciders.lastName };
