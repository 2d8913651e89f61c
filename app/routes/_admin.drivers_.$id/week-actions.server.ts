/** What the forms about a driver's agreements and charges do. */
import { json } from "@remix-run/cloudflare";
import type { RequestContext } from "../../auth/request-context.ts";
import { makeAgreement } from "../../domain/agreements/commands/make.server.ts";
import { newAgreementInput } from "../../domain/agreements/input.ts";
import { termsOf } from "../../domain/agreements/record.ts";
import { whyNotMade } from "../../domain/agreements/refusals.ts";
import { addCharge } from "../../domain/charges/commands/add.server.ts";
import { voidCharge } from "../../domain/charges/commands/void.server.ts";
import { newChargeInput } from "../../domain/charges/input.ts";
import { whyNotAdded, whyNotVoided } from "../../domain/charges/refusals.ts";
import { chargesUrl, parsePosition } from "../../domain/charges/search.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { onePerson } from "../../domain/people/rows.server.ts";
import { driverPath } from "../../domain/people/search.ts";
import { startingWeekday } from "../../domain/statements/settlement-week.ts";
import { messagesOf, parseForm, textField, uploadedFile } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { driverFailure } from "../../messages.ts";
import type { ActionError } from "../_admin.drivers/actions.server.ts";
import { type Preview, previewOf } from "./week-view.server.ts";

/** What a post answers unless it redirects. */
export type WeekAnswer = ActionError & {
	readonly preview?: Preview;
	/** What is wrong with the receipt of a charge. */
	readonly fileProblems?: readonly string[];
	/** When the form of an agreement was opened, if it still is to be sent as such. */
	readonly seen?: string;
};

/** Makes an agreement, or only previews it. */
export async function agreementAction(context: RequestContext, admin: AdminContext, id: string) {
	const schema = newAgreementInput(admin.today, startingWeekday(admin.settings));
	const submission = await parseForm(context, schema, { driverId: id });
	const seen = await textField(context, "seen");
	if (submission.status !== "success") {
		const form = submission.reply();
		const toast = driverFailure("agreement", messagesOf(form)[0]);
		return json<WeekAnswer>({ toast, form, seen }, { status: 400 });
	}
	if (await textField(context, "preview")) {
		const { people } = await admin.db.batch({ people: onePerson(admin.db.build, id) });
		const [user] = people;
		if (!user) throw refusal({ kind: "not-found" }, 404);
		const preview = previewOf(user, termsOf(submission.value));
		return json<WeekAnswer>({ preview, form: submission.reply(), seen });
	}
	const outcome = await makeAgreement(admin, submission.value, Number(seen) || undefined);
	if (outcome.ok) return seeOther(`${driverPath(id)}#agreement`, context.settings, "agreementMade");
	const { status, message } = onForm(whyNotMade(outcome, admin));
	return json<WeekAnswer>(
		{
			toast: driverFailure("agreement", message),
			form: submission.reply({ formErrors: [message] }),
			needsNewKey: outcome.reason === "key-reused",
		},
		{ status },
	);
}

export async function chargeAction(context: RequestContext, admin: AdminContext, id: string) {
	const submission = await parseForm(context, newChargeInput(admin.today), { driverId: id });
	const file = await uploadedFile(context, ["receipt"]);
	// No page can fill in a file.
	const lost = file ? { fileProblems: ["Choose the receipt again."] } : {};
	if (submission.status !== "success") {
		const form = submission.reply();
		const toast = driverFailure("charge", messagesOf(form)[0]);
		return json<WeekAnswer>({ toast, form, ...lost }, { status: 400 });
	}
	const receipt = file && { bucket: context.env.RECEIPTS, file };
	const outcome = await addCharge(admin, submission.value, receipt);
	if (outcome.ok) return seeOther(`${driverPath(id)}#charges`, context.settings, "chargeAdded");
	const { status, message, field } = onForm(whyNotAdded(outcome, admin));
	const isOfFile = field === "receipt";
	return json<WeekAnswer>(
		{
			toast: driverFailure("charge", message),
			form: submission.reply(isOfFile ? {} : { formErrors: [message] }),
			needsNewKey: outcome.reason === "key-reused",
			...(isOfFile ? { fileProblems: [message] } : lost),
		},
		{ status },
	);
}

export async function removeChargeAction(context: RequestContext, admin: AdminContext, id: string) {
	const outcome = await voidCharge(admin, await textField(context, "id"));
	if (outcome.ok) {
		const { searchParams } = new URL(context.address, "http://page/");
		const here = chargesUrl(id, parsePosition(searchParams));
		return seeOther(`${here}#charges`, context.settings, "chargeRemoved");
	}
	const { status, message } = onForm(whyNotVoided(outcome, admin));
	return json<WeekAnswer>({ toast: driverFailure("remove-charge", message) }, { status });
}
