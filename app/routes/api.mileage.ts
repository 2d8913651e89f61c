/** GET and POST /api/mileage (spec §7). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asDriver, inPortal } from "../auth/guard.server.ts";
import { callRefusal } from "../auth/refusal.ts";
import { logMileage, type MileageRefusal } from "../domain/mileage/commands.server.ts";
import { logMileageInput } from "../domain/mileage/input.ts";
import { mileageJson } from "../domain/mileage/json.ts";
import { type ListedLog, listLogs } from "../domain/mileage/queries.server.ts";
import { checkRange, created, idempotencyKey, listed, rangeOf, received, rowsToRead } from "../http/json.server.ts";
import { ALREADY_LOGGED, KEY_REUSED, NOT_TO_CORRECT, TOO_MANY_LOGS } from "../messages.ts";

const show = ({ log, driverNumber }: ListedLog) => mileageJson(log, driverNumber);

/** A driver's own logs, the whole fleet's for an administrator; `startDate` and `endDate` are calendar dates, both included. */
export async function loader(args: LoaderFunctionArgs) {
	const range = rangeOf(args.request);
	const size = rowsToRead(args.request);
	const portal = await inPortal(
		args,
		({ build }) => ({ logs: listLogs(build, undefined, range, size) }),
		({ build, me }) => ({ logs: listLogs(build, me, range, size) }),
	);
	if (portal.kind === "visitor") throw new Error("the matrix lets no visitor in here");
	checkRange(args.request);
	const { db } = args.context;
	const whose = portal.kind === "driver" ? portal.driver.user.id : undefined;
	return listed(
		args.request,
		portal.answers.logs,
		async ({ log }, pageSize) => (await db.batch({ logs: listLogs(db.build, whose, range, pageSize, log) })).logs,
		show,
	);
}

/** Logs a trip for the driver who asks. */
export async function action(args: ActionFunctionArgs) {
	const { driver } = await asDriver(args);
	const input = received(args.context, logMileageInput(driver.today), { key: idempotencyKey(args.request) });
	const outcome = await logMileage(driver, input, "json");
	if (!outcome.ok) throw refusedCall(outcome);
	return created(mileageJson(outcome.value.log, driver.user.driverNumber), outcome.value.isReplay);
}

function refusedCall(refusal: MileageRefusal): Response {
	switch (refusal.reason) {
		case "already-logged":
			return callRefusal(409, ALREADY_LOGGED);
		case "key-reused":
			return callRefusal(422, KEY_REUSED);
		case "too-many":
			return callRefusal(429, TOO_MANY_LOGS, undefined, { "Retry-After": "600" });
		case "not-to-correct":
			return callRefusal(409, NOT_TO_CORRECT);
		case "no-longer-active":
			return callRefusal(403, "Forbidden");
		case "check":
			throw new Error("a call is never asked to confirm");
	}
}
