import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { newAgreementInput } from "../domain/agreements/input.ts";
import { newChargeInput } from "../domain/charges/input.ts";
import {
	answerForm,
	decisionForm,
	questionForm,
	submitRequestInput,
} from "../domain/fund-requests/input.ts";
import { messageInput } from "../domain/messages/input.ts";
import {
	logMileageInput,
	voidMileageAsAdminInput,
	voidMileageInput,
} from "../domain/mileage/input.ts";
import { paymentInput, reopenPayoutInput } from "../domain/payouts/input.ts";
import {
	newAdminInput,
	profileInput,
	pseudonymizeInput,
	renameInput,
} from "../domain/people/input.ts";
import { invitationsInput } from "../domain/people/invitations.ts";
import { mileageLogInput, reportInput } from "../domain/reports/input.ts";
import * as settings from "../domain/settings/input.ts";
import { newTokenInput } from "../domain/tokens/input.ts";
import { addFeeInput } from "../domain/uber-fees/input.ts";
import { newWebhookInput } from "../domain/webhooks/input.ts";
import { ROUTES } from "../routing/routes.ts";
import { ANY_DAY } from "../values/date-input.ts";
import { fieldNames, type InputSchema } from "../values/fields.ts";
import { ResendForm } from "./resend-form.tsx";

/** What a person sees of a form that is shown again: each label with its value. */
function shown(action: string, fields: Readonly<Record<string, string>>): [string, string][] {
	const typed = { action, fields: Object.entries(fields), hadFile: false };
	const html = renderToStaticMarkup(<ResendForm typed={typed} />);
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
		const html = renderToStaticMarkup(<ResendForm typed={typed} />);
		return new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(html)?.[0];
	};
	expect(controlOf("/mileage", "date", "2026-11-01")).toContain('type="date"');
	expect(controlOf("/mileage", "date", "yesterday")).toContain('type="text"');
	expect(controlOf("/mileage", "endOdometer", "120")).toContain('inputMode="numeric"');
	expect(controlOf("/requests", "amount", "12")).toContain('inputMode="decimal"');
});

it("offers the choices of a field that was left empty", () => {
	const typed = { action: "/requests", fields: [["type", ""] as const], hadFile: false };
	expect(renderToStaticMarkup(<ResendForm typed={typed} />)).toMatch(
		/<select[^>]*name="type"[^>]*><option value="" selected="">Select one<\/option><option value="gas">/,
	);
});

it("asks for a file again where one was sent: a charge can't get its receipt later", () => {
	const formOf = (action: string, hadFile: boolean) =>
		renderToStaticMarkup(<ResendForm typed={{ action, fields: [["key", "k"]], hadFile }} />);
	for (const [action, name] of [
		["/drivers/an-id?dialog=charge", "receipt"],
		["/requests", "receipt"],
		["/uber-fees/import", "file"],
	] as const) {
		expect(formOf(action, true)).toMatch(/<form[^>]*encType="multipart\/form-data"/);
		expect(formOf(action, true)).toMatch(new RegExp(`<input type="file"[^>]*name="${name}"`));
		expect(formOf(action, false)).not.toMatch(/multipart|type="file"/);
	}
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

/** The forms that people type into, by the path they are posted to, with their schemas. */
const TYPED: Readonly<Record<string, readonly InputSchema[]>> = {
	"/mileage": [logMileageInput(ANY_DAY), voidMileageInput],
	"/requests": [submitRequestInput(ANY_DAY), answerForm],
	"/fund-requests": [decisionForm, questionForm],
	"/mileage-reports": [voidMileageAsAdminInput],
	"/earnings/:id": [messageInput],
	"/settlements/:id": [messageInput],
	"/uber-fees": [addFeeInput(ANY_DAY)],
	"/payouts/:id": [paymentInput(ANY_DAY), reopenPayoutInput],
	"/settings": [
		settings.fleetInput,
		settings.thresholdsInput,
		settings.questionsInput,
		settings.receiptsInput,
		settings.accountingInput,
		settings.retentionInput,
	],
	"/settings/tokens": [newTokenInput],
	"/settings/webhooks": [newWebhookInput],
	"/drivers": [newAdminInput, invitationsInput],
	"/drivers/:id": [
		renameInput,
		pseudonymizeInput,
		newAgreementInput(ANY_DAY, 1),
		newChargeInput(ANY_DAY),
	],
	"/reports/generate": [reportInput(ANY_DAY)],
	"/reports/mileage-log": [mileageLogInput(ANY_DAY)],
	"/profile": [profileInput],
};
/** Posts without anything typed: choices, ticked rows, files, a sign-in that isn't shipped. */
const UNTYPED = [
	"/uber-fees/import",
	"/payouts",
	"/settlements",
	"/email",
	"/account",
	"/api/login",
	"/api/logout",
];
/** What a form sends besides what was typed; a person is searched by text. */
const CONTROLS = /^(key|id|ids|status|confirm|driverId|\w+Id|receiptUrl|isSilent)$/;

it("knows every page that takes a form", () => {
	const posted = ROUTES.flatMap(({ kind, path, methods }) =>
		kind === "page" && methods.POST ? [path] : [],
	);
	expect(posted.sort()).toEqual([...Object.keys(TYPED), ...UNTYPED].sort());
});

it.each(Object.entries(TYPED))("shows everything typed into the forms of %s", (path, schemas) => {
	const names = schemas.flatMap(fieldNames).filter((name) => !CONTROLS.test(name));
	const typed = Object.fromEntries(names.map((name) => [name, "typed"]));
	const seen = shown(path.replace(":id", "0b1c-2d"), typed).map(([, name]) => name);
	expect(seen.sort()).toEqual([...new Set(names)].sort());
});
