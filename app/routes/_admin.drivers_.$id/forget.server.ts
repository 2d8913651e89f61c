/** Removing one of a driver's platform IDs. */
import { json } from "@remix-run/cloudflare";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { driverPath } from "../../domain/people/search.ts";
import { textField } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { driverFailure } from "../../messages.ts";
import type { ActionError } from "../_admin.drivers/actions.server.ts";

/** Removes the ID of a row's form from the driver's page. */
export async function forgetAction(context: RequestContext, admin: AdminContext, driverId: string) {
	// Loaded on demand, so that they don't slow the Worker's start.
	const [{ forgetDriver }, { whyNotForgotten }] = await Promise.all([
		import("../../domain/statements/commands/forget-driver.server.ts"),
		import("../../domain/statements/refusals.ts"),
	]);
	const outcome = await forgetDriver(admin, await textField(context, "id"));
	if (outcome.ok)
		return seeOther(
			`${driverPath(driverId)}#platform-ids`,
			context.settings,
			"platformDriverForgotten",
		);
	const { status, message } = onForm(whyNotForgotten(outcome, admin));
	return json<ActionError>({ toast: driverFailure("forget", message) }, { status });
}
