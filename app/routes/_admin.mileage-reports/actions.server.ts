/** What the form of this screen does. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import {
	type AdminVoidRefusal,
	voidMileageAsAdmin,
} from "../../domain/mileage/commands/void-as-admin.server.ts";
import { voidMileageAsAdminInput } from "../../domain/mileage/input.ts";
import { whyNotVoidedByAdmin } from "../../domain/mileage/refusals.ts";
import { parseForm } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { type RefusalAnswer, refused } from "../../values/outcome.ts";

/** What a refused post of this screen answers. */
export type VoidAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** The dialog's form as typed, with its errors. */
	readonly form?: SubmissionResult;
};

const failed = ({ status, message }: Pick<RefusalAnswer, "status" | "message">): VoidAnswer => ({
	status,
	toast: withReason(TOASTS.mileageVoidFailed, message),
});

/**
 * Voids the dialog's entry.
 * @param here the URL without its dialog
 * @param staysListed whether the list shows voided entries, so that there is a row to return to
 */
export async function voidAction(
	context: RequestContext,
	admin: AdminContext,
	here: string,
	staysListed: boolean,
): Promise<Response | VoidAnswer> {
	const submission = await parseForm(context, voidMileageAsAdminInput);
	const voidRefusal = (refusal: AdminVoidRefusal) =>
		failed(onForm(whyNotVoidedByAdmin(refusal, admin)));
	if (submission.status !== "success") {
		const { id, reason } = submission.error ?? {};
		if (id) return voidRefusal(refused("not-found"));
		return {
			...failed({ status: 400, message: reason?.[0] ?? "" }),
			form: submission.reply(),
		};
	}
	const outcome = await voidMileageAsAdmin(admin, submission.value);
	if (!outcome.ok) return voidRefusal(outcome);
	return seeOther(
		`${here}#${staysListed ? `log-${outcome.value.log.id}` : "entries"}`,
		context.settings,
		"mileageVoided",
	);
}
