/** Who is paid in a payout's files, and what its document says of the payment. */
import { expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { DEFAULT_SETTINGS } from "../kernel/fleet-settings.ts";
import { payoutDocument, statementDocument } from "./documents.ts";
import { EXPORTS, type ExportedPayout, type ExportFormat } from "./exports.ts";
import type { PaidSettlement } from "./json.ts";

const settled = (number: number, more: Partial<PaidSettlement> = {}): PaidSettlement => ({
	...{ driverId: `driver-${number}`, driverNumber: number, firstName: "", lastName: "" },
	...{ settlementId: `week-${number}`, settlementNumber: number, amountCents: 100 },
	weekFrom: parseCalendarDate("2026-11-16"),
	...more,
});
const payout: ExportedPayout = {
	...{ number: 12, status: "paid", reference: null, requests: [] },
	paidOn: parseCalendarDate("2026-11-24"),
	madeOn: parseCalendarDate("2026-11-23"),
	settlements: [
		settled(3),
		settled(4),
		settled(5, { firstName: "Dana", lastName: "Driver" }),
		settled(6, { driverNumber: null }),
	],
};

it.each([
	["drivers", "Driver"],
	["requests", "Driver"],
	["xero", "ContactName"],
	["quickbooks", "Vendor"],
] as const satisfies readonly (readonly [ExportFormat, string])[])(
	"%s: whoever was invited without a name is called by their code, and is nobody else",
	(format, column) => {
		const { head, rows } = EXPORTS[format];
		const names = rows(payout, DEFAULT_SETTINGS).map((row) => row[head.indexOf(column)]);
		expect(names.sort()).toEqual(["DRV-0003", "DRV-0004", "Dana Driver", "Unnamed user"]);
	},
);

it("says when a payout was paid, and nothing of one that is canceled for good", () => {
	const meta = { fleet: "Fleet", timeZone: "UTC", madeAt: 0, madeAtWords: "now", madeFor: "Ada" };
	const said = (status: ExportedPayout["status"], paidOn: ExportedPayout["paidOn"] = null) =>
		payoutDocument({ ...payout, status, paidOn }, meta).facts.filter(([label]) =>
			["Paid on", "Reference"].includes(label),
		);
	expect(said("paid", payout.paidOn)).toEqual([
		["Paid on", "Nov 24, 2026"],
		["Reference", "none"],
	]);
	expect(said("open")).toEqual([
		["Paid on", "not yet"],
		["Reference", "none"],
	]);
	expect(said("cancelled")).toEqual([]);
});

it("lists in a driver's statement only what they are paid for", () => {
	const meta = { fleet: "Fleet", timeZone: "UTC", madeAt: 0, madeAtWords: "now", madeFor: "Dana" };
	const titles = (own: Partial<ExportedPayout>) =>
		statementDocument(
			{ ...payout, ...own },
			{ firstName: "Dana", lastName: "Driver", driverNumber: 5 },
			meta,
		).sections.map(({ title }) => title);
	expect(titles({})).toEqual(["Settlements"]);
	expect(titles({ settlements: [] })).toEqual(["Requests"]);
});
