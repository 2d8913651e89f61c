/** GET /api/drivers/pending: the pending applications, oldest first. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { userJson } from "../domain/people/json.ts";
import { PENDING_LIST } from "../domain/people/lists.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { LISTS } from "../routing/api/lists.ts";

export async function loader(args: LoaderFunctionArgs) {
	const ask = parseList(args.request, {
		...LISTS["/api/drivers/pending"],
		isCursor: isCursorOf(PENDING_LIST),
	});
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		readList(PENDING_LIST, ask, build),
	);
	return listResponse(
		args,
		ask,
		toListPage(PENDING_LIST, ask, answers),
		furtherPages(PENDING_LIST, ask, reader.db),
		userJson,
	);
}
