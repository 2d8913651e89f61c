/** /api/drivers: GET the approved, active drivers; POST makes one, approved at once. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { createDriver } from "../domain/drivers/commands/create.server.ts";
import { newPersonInput } from "../domain/drivers/input.ts";
import { approvedDrivers } from "../domain/drivers/queries.server.ts";
import { whyNotChanged } from "../domain/drivers/refusals.ts";
import { userJson } from "../domain/users/json.ts";
import { created, idempotencyKey, listed, received, rowsToRead } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { admin, drivers } = await asAdmin(args, ({ build }) => ({ drivers: approvedDrivers(build, true, rowsToRead(args.request)) }));
	const { db } = admin;
	const next = async (row: (typeof drivers)[number], size: number) =>
		(await db.batch({ more: approvedDrivers(db.build, true, size, { way: "after", cursor: row }) })).more;
	return listed(args.request, drivers, next, userJson);
}

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const input = received(args.context, newPersonInput, { key: idempotencyKey(args.request) });
	const outcome = await createDriver(admin, input, args.context.settings);
	return outcome.ok ? created(userJson(outcome.value), outcome.value.isReplay) : refusedCall(whyNotChanged(outcome, admin));
}
