/** The answer to a form that wasn't read completely. */
import { expect, it } from "vitest";
import type { FormFault } from "../http/form-body.server.ts";
import { findRule } from "../routing/routes.ts";
import { refusedForm } from "./refused-form.server.ts";
import type { RequestContext } from "./request-context.ts";

function answerTo(path: string, fault: FormFault): Response {
	const form = new FormData();
	form.append("description", "Fuel");
	const context: Partial<RequestContext> = {
		rule: findRule(path),
		method: "POST",
		address: path,
		requestId: "test",
		sent: () => ({ form, fault, isSenderKnown: false }),
		mostFor: () => 255,
	};
	return refusedForm(context as RequestContext, fault);
}

it("tells a phone to send it again if the database didn't say whose file it is", async () => {
	const answer = answerTo("/api/outbox/requests", "left-out");
	expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "10"]);
	const page = answerTo("/requests", "left-out");
	expect([page.status, page.headers.get("Retry-After")]).toEqual([503, "10"]);
	expect(await page.json()).toMatchObject({
		typed: { fields: [["description", "Fuel"]], hadFile: true },
	});
});

it("refuses a form with too much text or too many fields", () => {
	for (const fault of ["too-much-text", "too-many-fields"] as const)
		expect(answerTo("/requests", fault).status).toBe(413);
});
