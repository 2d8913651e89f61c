import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ResendForm } from "./resend-form.tsx";

/** What a person sees of a form that is shown again: each label with its value. */
function shown(action: string, fields: Readonly<Record<string, string>>): [string, string][] {
	const typed = { action, fields: Object.entries(fields), hadFile: false };
	const html = renderToStaticMarkup(<ResendForm typed={typed} button="Send again" />);
	return [...html.matchAll(/<label[^>]*>([^<]*)<\/label>.*?name="(\w+)"/g)].map(
		([, label = "", name = ""]) => [label, name],
	);
}

it("calls each field what its own form calls it", () => {
	const report = { type: "weekly", range: "custom", startDate: "2026-11-01", paper: "a4" };
	expect(shown("/reports/generate", report)).toEqual([
		["Report Type", "type"],
		["Date Range", "range"],
		["Start Date", "startDate"],
		["Paper Size", "paper"],
	]);
	expect(shown("/requests?after=x", { type: "gas", amount: "12" })).toEqual([
		["Request Type", "type"],
		["Amount", "amount"],
	]);
});

it("asks for dates and numbers as their own form does", () => {
	const controlOf = (action: string, name: string, value: string) => {
		const typed = { action, fields: [[name, value] as const], hadFile: false };
		const html = renderToStaticMarkup(<ResendForm typed={typed} button="Send again" />);
		return new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(html)?.[0];
	};
	expect(controlOf("/mileage", "date", "2026-11-01")).toContain('type="date"');
	expect(controlOf("/mileage", "date", "yesterday")).toContain('type="text"');
	expect(controlOf("/mileage", "endOdometer", "120")).toContain('inputMode="numeric"');
	expect(controlOf("/requests", "amount", "12")).toContain('inputMode="decimal"');
});

it("hides a form's control fields, and shows what was typed to find someone", () => {
	const fee = {
		key: "k",
		driverId: "an id",
		driverSearch: "Dana",
		driverSearched: "",
		intent: "x",
	};
	expect(shown("/uber-fees", fee)).toEqual([["Find driver", "driverSearch"]]);
	expect(shown("/uber-fees/import", { csv: "a,b", fileName: "a.csv" })).toEqual([]);
});
