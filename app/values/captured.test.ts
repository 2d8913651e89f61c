import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "./calendar-date.ts";
import { describeCapture, formatReceivedAt, parseCapturedAt } from "./captured.ts";

const ZONE = "America/New_York";
const now = Date.UTC(2026, 10, 21, 19, 2);

describe("the moment of capture", () => {
	it("is as long before receipt as the phone says", () => {
		expect(parseCapturedAt("0", now)).toBe(now);
		expect(parseCapturedAt("86400000", now)).toBe(now - 86_400_000);
		expect(parseCapturedAt(String(366 * 86_400_000), now)).toBe(now - 366 * 86_400_000);
	});

	it.each([
		null,
		"",
		"-1",
		"1.5",
		"1e3",
		"soon",
		"NaN",
		" 5",
		"9999999999999",
		String(366 * 86_400_000 + 1),
	])("is unknown when the phone says %j", (ago) =>
		expect(parseCapturedAt(ago, now)).toBeUndefined(),
	);
});

it("shows capture and receipt in the fleet's time zone", () => {
	expect(describeCapture(ZONE, Date.UTC(2026, 10, 21, 4, 30), now)).toBe(
		"Saved Nov 20, 2026 at 11:30 PM, received Nov 21, 2026 at 2:02 PM",
	);
});

it("shows only the time on the same day, and the date too on another", () => {
	expect(formatReceivedAt(ZONE, now, parseCalendarDate("2026-11-21"))).toBe("2:02 PM");
	expect(formatReceivedAt(ZONE, now, parseCalendarDate("2026-11-22"))).toBe(
		"Nov 21, 2026, 2:02 PM",
	);
	expect(
		formatReceivedAt(ZONE, Date.UTC(2026, 10, 21, 5, 7), parseCalendarDate("2026-11-21")),
	).toBe("12:07 AM");
});
