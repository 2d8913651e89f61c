/** What the audit says of an agreement; the patch leaves out what is null. */
import { sql } from "drizzle-orm";

export const AUDITED = sql`json_patch(
	json_object('from', starts_on, 'base', base, 'faresPercent', fares_basis_points / 100.0,
		'tipsPercent', tips_basis_points / 100.0, 'promotionsPercent', promotions_basis_points / 100.0,
		'tollsTo', tolls_to, 'weeklyRentCents', weekly_rent_cents, 'weeklyFeeCents', weekly_fee_cents,
		'fleetPercent', fleet_basis_points / 100.0, 'perMileMills', per_mile_mills),
	json_object('thresholdMiles', threshold_miles, 'thereafterMills', thereafter_mills,
		'taxYearStart', tax_year_start))`;
