/** /api/drivers: GET the approved, active drivers; POST creates one, approved at once. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { createDriver } from "../domain/people/commands/create.server.ts";
import { newPersonInput } from "../domain/people/input.ts";
import { userJson } from "../domain/people/json.ts";
import { listApprovedDrivers } from "../domain/people/queries.server.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { firstPageSize, listResponse } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { admin, drivers } = await requireAdmin(args, ({ build }) => ({
		drivers: listApprovedDrivers(build, true, firstPageSize(args.request)),
	}));
	const { db } = admin;
	const next = async (row: (typeof drivers)[number], size: number) =>
		(
			await db.batch({
				more: listApprovedDrivers(db.build, true, size, { way: "after", cursor: row }),
			})
		).more;
	return listResponse(args, drivers, next, userJson);
}

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(args.context, newPersonInput, { key: idempotencyKey(args.request) });
	const outcome = await createDriver(admin, input, args.context.settings);
	return outcome.ok
		? createdResponse(userJson(outcome.value), outcome.value.isReplay)
		: refusedCall(whyNotChanged(outcome, admin));
}
