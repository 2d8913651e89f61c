/** Why a row of a statement becomes no fee, on screen and in the file of left-out rows. */
import type { LeftOut } from "./plan.ts";

const LABELS: Readonly<Record<LeftOut["reason"], string>> = {
	payout: "Money paid out",
	organisation: "The fleet itself, not a driver",
	"no-fee": "No fee in this row",
	duplicate: "Duplicate of an earlier row",
	"no-driver": "No driver is named",
	"unreadable-amount": "Its amount can't be read",
	"unreadable-date": "Its date can't be read",
	total: "A total of other rows",
	"repeated-header": "The column names, repeated",
	"other-block": "The same amounts again, by day",
	"no-category": "Its fee category isn't known",
	unreadable: "Its reference number or description is too long",
	"after-today": "Dated in the future",
	"too-old": "Dated before January 1 of the year before last",
};

/** With what is wrong with its cell, if known. */
export const leftOutText = ({ reason, why }: Pick<LeftOut, "reason" | "why">): string =>
	why ? `${LABELS[reason]}: ${why}` : LABELS[reason];
