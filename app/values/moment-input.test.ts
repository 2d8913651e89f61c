import { expect, it } from "vitest";
import { parseMoment } from "./moment-input.ts";

it.each([
	["2026-11-21T17:00:00Z", Date.UTC(2026, 10, 21, 17)],
	["2026-11-21T17:00:00.123Z", Date.UTC(2026, 10, 21, 17, 0, 0, 123)],
	["2026-11-21T12:00-05:00", Date.UTC(2026, 10, 21, 17)],
	["2026-11-21T22:30:00+05:30", Date.UTC(2026, 10, 21, 17)],
	["2026-11-21T22:30:00 05:30", Date.UTC(2026, 10, 21, 17)],
	["2026-11-21T00:00:00Z", Date.UTC(2026, 10, 21)],
	["1900-01-01T00:00:00Z", 0],
])("reads %s", (text, milliseconds) => expect(parseMoment(text)).toBe(milliseconds));

it.each([
	"",
	"2026-11-21",
	"2026-11-21T17:00:00",
	"yesterday",
	"1795539600000",
	"2026-13-01T00:00Z",
])("refuses '%s', which may mean another moment elsewhere", (text) =>
	expect(parseMoment(text)).toBeUndefined(),
);
