/** GET /api/drivers/pending: the applications that wait for a decision, the oldest first. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { pendingDrivers } from "../domain/drivers/queries.server.ts";
import { userJson } from "../domain/users/json.ts";
import { listed, rowsToRead } from "../http/json.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { admin, drivers } = await asAdmin(args, ({ build }) => ({ drivers: pendingDrivers(build, rowsToRead(args.request)) }));
	const { db } = admin;
	const next = async (row: (typeof drivers)[number], size: number) => (await db.batch({ more: pendingDrivers(db.build, size, row) })).more;
	return listed(args.request, drivers, next, userJson);
}
