/**
 * What every read of requests selects besides the request: its driver from `users`, who decided it
 * from `deciders`, and its payout.
 */
import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { payouts, users } from "../../db/schema.ts";
import type { PayoutOfRequest } from "./payment.ts";

export const deciders = alias(users, "deciders");

/**
 * D1 returns a batch's rows by column name, so two people in one row need different names. There is
 * always a driver, so the driver's are renamed.
 */
export const DRIVER = {
	firstName: sql<string>`${users.firstName}`.as("driver_first_name"),
	lastName: sql<string>`${users.lastName}`.as("driver_last_name"),
	driverNumber: users.driverNumber,
};
export const DECIDER = { firstName: deciders.firstName, lastName: deciders.lastName };

/** One value, since a request has columns with the same names. */
export const PAYOUT = sql<PayoutOfRequest | null>`iif(${payouts.id} is null, null,
	json_object('id', ${payouts.id}, 'number', ${payouts.number}, 'status', ${payouts.status},
		'paidOn', ${payouts.paidOn}))`
	.mapWith((text: string) => JSON.parse(text) as PayoutOfRequest)
	.as("payout");
