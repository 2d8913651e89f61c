/** GET /api/drivers/all: every approved driver, active or not. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { userJson } from "../domain/people/json.ts";
import { listAllDrivers } from "../domain/people/queries.server.ts";
import { firstPageSize, listResponse } from "../http/list.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { admin, drivers } = await requireAdmin(args, ({ build }) => ({
		drivers: listAllDrivers(build, firstPageSize(args.request)),
	}));
	const { db } = admin;
	const next = async (row: (typeof drivers)[number], size: number) =>
		(await db.batch({ more: listAllDrivers(db.build, size, row) })).more;
	return listResponse(args, drivers, next, userJson);
}
