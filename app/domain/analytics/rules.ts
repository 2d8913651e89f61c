/**
 * The meaning of the figures: tiers, labels, alerts and ratios (docs/product.md §2, §4, §9). Every
 * rule uses the rounded cost per mile (docs/product.md, 'Numbers, money and dates').
 */
import { centsPerMile, formatDollars } from "../../values/money.ts";
import type { Thresholds } from "../kernel/fleet-settings.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";

/**
 * The totals of a window, for one driver or for the fleet. Money in cents; fuel is approved
 * requests of type gas.
 */
export type Totals = {
	readonly miles: number;
	readonly trips: number;
	readonly fuelCents: number;
	readonly fuelRequests: number;
	readonly maintenanceCents: number;
	readonly maintenanceRequests: number;
	readonly otherCents: number;
	readonly otherRequests: number;
	/** Pending requests of the window, which aren't part of any cost. */
	readonly pendingCents: number;
	readonly pendingRequests: number;
	readonly commissionCents: number;
	readonly commissionFees: number;
	readonly serviceFeeCents: number;
	readonly serviceFeeFees: number;
	readonly bookingFeeCents: number;
	readonly bookingFeeFees: number;
	readonly otherFeeCents: number;
	readonly otherFeeFees: number;
};

/** A window in which nothing happened. */
export const ZERO_TOTALS: Totals = {
	miles: 0,
	trips: 0,
	fuelCents: 0,
	fuelRequests: 0,
	maintenanceCents: 0,
	maintenanceRequests: 0,
	otherCents: 0,
	otherRequests: 0,
	pendingCents: 0,
	pendingRequests: 0,
	commissionCents: 0,
	commissionFees: 0,
	serviceFeeCents: 0,
	serviceFeeFees: 0,
	bookingFeeCents: 0,
	bookingFeeFees: 0,
	otherFeeCents: 0,
	otherFeeFees: 0,
};

/** Calendar dates of a week and of a dashboard's month, today's included (docs/product.md §9). */
export const WEEK_DAYS = 7;
export const MONTH_DAYS = 30;
/** The most weeks in the average weekly spend (docs/product.md, 'Numbers, money and dates'). */
export const AVERAGE_WEEKS = 12;
/** Number of 'Top Drivers This Week' (docs/product.md §9). */
export const TOP_DRIVERS = 3;

export const TIERS = ["Excellent", "Good", "Needs Improvement"] as const;
export type Tier = (typeof TIERS)[number];

/** Approved requests of all three types, in cents. */
export function requestCents({ fuelCents, maintenanceCents, otherCents }: Totals): number {
	return fuelCents + maintenanceCents + otherCents;
}

/** The number of approved or pending requests. */
export function requestCount(totals: Totals): number {
	const { fuelRequests, maintenanceRequests, otherRequests, pendingRequests } = totals;
	return fuelRequests + maintenanceRequests + otherRequests + pendingRequests;
}

/** Fees of all four categories, in cents. */
export function feeCents({
	commissionCents,
	serviceFeeCents,
	bookingFeeCents,
	otherFeeCents,
}: Totals): number {
	return commissionCents + serviceFeeCents + bookingFeeCents + otherFeeCents;
}

/** The number of fees. */
export function feeCount({
	commissionFees,
	serviceFeeFees,
	bookingFeeFees,
	otherFeeFees,
}: Totals): number {
	return commissionFees + serviceFeeFees + bookingFeeFees + otherFeeFees;
}

/** A category's fees: cents and count. */
export function categoryFees(
	totals: Totals,
	category: FeeCategory,
): { readonly cents: number; readonly entries: number } {
	switch (category) {
		case "commission":
			return { cents: totals.commissionCents, entries: totals.commissionFees };
		case "service_fee":
			return { cents: totals.serviceFeeCents, entries: totals.serviceFeeFees };
		case "booking_fee":
			return { cents: totals.bookingFeeCents, entries: totals.bookingFeeFees };
		case "other":
			return { cents: totals.otherFeeCents, entries: totals.otherFeeFees };
	}
}

/** `70:30`: the target shares of fuel and of Uber fees. */
export const formatRatio = ({ fuelTargetPercent }: Thresholds) =>
	`${fuelTargetPercent}:${100 - fuelTargetPercent}`;

/** Fuel cents per mile, rounded half up once; 0 without miles. */
export function costPerMile({ fuelCents, miles }: Pick<Totals, "fuelCents" | "miles">): number {
	return centsPerMile(fuelCents, miles);
}

/** @returns undefined for a driver without miles, who is in no tier */
export function getTier(
	totals: Pick<Totals, "fuelCents" | "miles">,
	{ excellentUnderCents, goodUnderCents }: Thresholds,
): Tier | undefined {
	if (totals.miles === 0) return undefined;
	const cents = costPerMile(totals);
	if (cents < excellentUnderCents) return "Excellent";
	return cents < goodUnderCents ? "Good" : "Needs Improvement";
}

/**
 * The overview's word for a driver (docs/product.md §2): 'Efficient' where their tier is Excellent or
 * Good, otherwise 'Average'.
 */
export function efficiencyLabel(
	totals: Pick<Totals, "fuelCents" | "miles">,
	{ goodUnderCents }: Thresholds,
): "Efficient" | "Average" | "No miles" {
	if (totals.miles === 0) return "No miles";
	return costPerMile(totals) < goodUnderCents ? "Efficient" : "Average";
}

/**
 * The shares of fuel and fees in whole percent; fuel's is rounded half up and the fees' is the
 * rest, or `0` and `0` if nothing was spent.
 */
export function spendShares(
	fuelCents: number,
	uberCents: number,
): { readonly fuel: number; readonly fees: number } {
	// Credits beyond the charges aren't a share of what was spent.
	const sum = fuelCents + Math.max(0, uberCents);
	if (sum === 0) return { fuel: 0, fees: 0 };
	const fuel = Math.floor((200 * fuelCents + sum) / (2 * sum));
	return { fuel, fees: 100 - fuel };
}

export type Alert = {
	readonly kind: "pending" | "fees" | "none";
	readonly title: string;
	readonly text: string;
};

/** 'System Status' of the overview, with the texts of docs/product.md §9. */
export function buildAlerts(
	pendingRequests: number,
	uberCents: number,
	{ pendingAlertOver, feeAlertOverCents }: Thresholds,
): Alert[] {
	const alerts: Alert[] = [];
	if (pendingRequests > pendingAlertOver)
		alerts.push({
			kind: "pending",
			title: "Pending requests",
			text: `${pendingRequests} fund requests pending approval. Average processing time should be under 2 days.`,
		});
	if (uberCents > feeAlertOverCents)
		alerts.push({
			kind: "fees",
			title: "Uber fees",
			text: `Total Uber fees of ${formatDollars(uberCents)} are above typical range. Review fee management.`,
		});
	if (pendingRequests === 0 && uberCents <= feeAlertOverCents)
		alerts.push({
			kind: "none",
			title: "All systems running normally",
			text: "No alerts at this time",
		});
	return alerts;
}
