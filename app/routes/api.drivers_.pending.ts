/** GET /api/drivers/pending: the pending applications, oldest first. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { userJson } from "../domain/people/json.ts";
import { listPendingDrivers } from "../domain/people/queries.server.ts";
import { firstPageSize, listResponse } from "../http/list.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { admin, drivers } = await requireAdmin(args, ({ build }) => ({
		drivers: listPendingDrivers(build, firstPageSize(args.request)),
	}));
	const { db } = admin;
	const next = async (row: (typeof drivers)[number], size: number) =>
		(await db.batch({ more: listPendingDrivers(db.build, size, row) })).more;
	return listResponse(args, drivers, next, userJson);
}
