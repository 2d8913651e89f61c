/** What every column of an agreement is, and who sees it (../kernel/record.ts). */
import type { agreements } from "../../db/schema.ts";
import { type Columns, typedValues } from "../kernel/record.ts";
import type { NewAgreement } from "./input.ts";
import type { Terms } from "./rules.ts";

/** A term of the agreement, under one name everywhere. */
const term = <const Name extends string>(wire: Name) =>
	({ wire, file: wire, audit: wire, personal: "figure", isTyped: true }) as const;

export const AGREEMENT = {
	id: { wire: "id", personal: "figure" },
	driverId: { wire: "driverId", personal: "none" },
	number: { personal: "figure" },
	startsOn: term("from"),
	base: term("base"),
	faresBasisPoints: { ...term("faresPercent"), as: "percent" },
	tipsBasisPoints: { ...term("tipsPercent"), as: "percent" },
	promotionsBasisPoints: { ...term("promotionsPercent"), as: "percent" },
	tollsTo: term("tollsTo"),
	weeklyRentCents: { ...term("weeklyRent"), audit: "weeklyRentCents", as: "dollars" },
	weeklyFeeCents: { ...term("weeklyFee"), audit: "weeklyFeeCents", as: "dollars" },
	fleetBasisPoints: { ...term("fleetPercent"), as: "percent" },
	perMileMills: term("perMileMills"),
	thresholdMiles: term("thresholdMiles"),
	thereafterMills: term("thereafterMills"),
	taxYearStart: term("taxYearStart"),
	createdAt: { as: "moment", personal: "figure" },
	createdBy: { as: "name", personal: "figure" },
	submissionKey: { personal: "none" },
	payloadHash: { personal: "hash" },
	lastChangeId: { personal: "none" },
} as const satisfies Record<keyof typeof agreements.$inferSelect, Columns[string]>;

/** The terms of an agreement that isn't made yet. */
export const termsOf = (agreement: NewAgreement): Terms =>
	typedValues(AGREEMENT, agreement) as unknown as Terms;
