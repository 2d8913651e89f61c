import { expect, it } from "vitest";
import { isFromOurPages } from "./initiator.ts";

const OURS = "https://fleet.example";
const OTHERS = [
	"https://evil.example",
	"https://fleet.example.evil.example",
	"http://fleet.example",
	"https://fleet.example:8443",
];
const form = (origin: string | undefined, referrer: string) => ({
	headers: new Headers(origin === undefined ? {} : { Origin: origin }),
	referrer,
});

it("recognizes our forms by the browser's Origin, whatever the referrer says", () => {
	for (const referrer of ["", "about:client", `${OURS}/mileage`, "https://evil.example/"]) {
		expect(isFromOurPages(form(OURS, referrer), OURS)).toBe(true);
		for (const origin of [...OTHERS, "null", ""])
			expect(isFromOurPages(form(origin, referrer), OURS), origin).toBe(false);
	}
});

it("goes by the referrer where a browser sends no Origin, and distrusts a form without one", () => {
	for (const referrer of [`${OURS}/`, `${OURS}/offline?note=saved`])
		expect(isFromOurPages(form(undefined, referrer), OURS)).toBe(true);
	for (const referrer of [
		"",
		"about:client",
		"null",
		"nonsense",
		...OTHERS.map((origin) => `${origin}/${OURS}/`),
	])
		expect(isFromOurPages(form(undefined, referrer), OURS), referrer).toBe(false);
});
