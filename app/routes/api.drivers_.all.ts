/** GET /api/drivers/all: every approved driver, active or not. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { userJson } from "../domain/people/json.ts";
import { ALL_LIST } from "../domain/people/lists.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { LISTS } from "../routing/api/lists.ts";

export async function loader(args: LoaderFunctionArgs) {
	const ask = parseList(args.request, {
		...LISTS["/api/drivers/all"],
		isCursor: isCursorOf(ALL_LIST),
	});
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		readList(ALL_LIST, ask, build),
	);
	return listResponse(
		args,
		ask,
		toListPage(ALL_LIST, ask, answers),
		furtherPages(ALL_LIST, ask, reader.db),
		userJson,
	);
}
