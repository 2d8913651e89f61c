/** GET and POST /api/mileage (docs/product.md §7). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver, requirePortal } from "../auth/guard.server.ts";
import {
	furtherTrips,
	isTripCursor,
	readTrips,
	tripPage,
} from "../domain/mileage/archived.server.ts";
import { logMileage } from "../domain/mileage/commands/log.server.ts";
import { logMileageInput } from "../domain/mileage/input.ts";
import { mileageJson } from "../domain/mileage/json.ts";
import type { ListedLog } from "../domain/mileage/queries.server.ts";
import { whyNotLogged } from "../domain/mileage/refusals.ts";
import {
	checkRange,
	createdResponse,
	idempotencyKey,
	parseDateRange,
	parseJson,
} from "../http/json.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

const show = ({ log, driverNumber }: ListedLog) => mileageJson(log, driverNumber);

/**
 * A driver's own logs, or the whole fleet's for an administrator; `startDate` and `endDate` are
 * calendar dates, both included.
 */
export async function loader(args: LoaderFunctionArgs) {
	const range = parseDateRange(args.request);
	const ask = parseList(args.request, {
		...LISTS["/api/mileage"],
		isCursor: isTripCursor,
	});
	const portal = await requirePortal(
		args,
		({ build }) => readTrips(ask, range, build),
		({ build, me }) => readTrips(ask, range, build, me),
	);
	if (portal.kind === "visitor") throw new Error("visitors can't open this route");
	checkRange(args.request);
	const whose = portal.kind === "driver" ? portal.driver.user.id : undefined;
	const reader = portal.kind === "driver" ? portal.driver : portal.reader;
	return listResponse(
		args,
		ask,
		await tripPage(reader, ask, { whose, range }, portal.answers),
		furtherTrips(reader, ask, { whose, range }),
		show,
	);
}

/** Logs a trip for the signed-in driver. */
export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	const input = parseJson(args.context, logMileageInput(driver.today), {
		key: idempotencyKey(args.request),
	});
	const outcome = await logMileage(driver, input, "json");
	if (!outcome.ok) throw refusedCall(whyNotLogged(outcome, driver));
	return createdResponse(
		mileageJson(outcome.value.log, driver.user.driverNumber),
		outcome.value.isReplay,
	);
}
