/** Where a row's form redirects. */
import type { RequestContext } from "../../auth/request-context.ts";
import { parsePosition, positionParameters } from "../../domain/fund-requests/search.ts";
import { seeOther, type ToastRef } from "../../http/toast.server.ts";
import { listUrl } from "./address.ts";

/** To the row, on the page of the list that its form was on. */
export function backTo(context: RequestContext, id: string, toast: ToastRef): Promise<Response> {
	const query = new URL(context.address, "http://page/").searchParams;
	const here = positionParameters(parsePosition(query));
	return seeOther(listUrl(here, `request-${id}`), context.settings, toast);
}
