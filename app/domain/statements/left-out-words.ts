/** Why a row of a statement becomes no fee, on screen and in the file of what was left out. */
import type { LeftOut } from "./plan.ts";

export const LEFT_OUT_WORDS: Readonly<Record<LeftOut["reason"], string>> = {
	payout: "Money paid out",
	organisation: "The fleet itself, no driver",
	"no-fee": "No fee in this row",
	duplicate: "The same line stands further up",
	"no-driver": "It names no driver",
	"unreadable-amount": "Its amount can't be read",
	"unreadable-date": "Its date can't be read",
	total: "A total of other rows",
	"repeated-header": "The column names again",
	"other-block": "The same money again, by day",
	"after-today": "It is dated after today",
	"too-old": "It is dated before January 1 of the year before last",
};
