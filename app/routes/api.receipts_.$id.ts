/**
 * GET /api/receipts/{id}: the file, for its owner, administrators and accountants. For anyone else it doesn't
 * exist.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type QueryContext, requirePortal } from "../auth/guard.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { findReceipt } from "../domain/fund-requests/queries.server.ts";
import { requestNumber } from "../domain/fund-requests/rules.ts";
import type { ReaderContext } from "../domain/kernel/context.ts";
import { recordView } from "../domain/receipts/commands/record-view.server.ts";
import { downloadName, isPicture } from "../domain/receipts/rules.ts";
import { apiRefusal } from "../http/refusal.ts";
import { isRowId } from "../values/row-id.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { context, params } = args;
	const id = isRowId(params.id) ? params.id : "";
	const statements = ({ build, me }: QueryContext) => ({ found: findReceipt(build, me, id) });
	const portal = await requirePortal(args, statements, statements);
	if (portal.kind === "visitor") throw new Error("visitors can't open this route");
	const found = portal.answers.found[0];
	if (!found) throw apiRefusal(404, "Not found");
	const { receipt, number } = found;
	const object = await storedObject(context, receipt.objectKey);
	if (portal.kind === "reader" && context.method !== "HEAD")
		await auditView(context, portal.reader, id, object);
	const disposition = isPicture(receipt.mediaType) ? "inline" : "attachment";
	const name = downloadName(number === null ? id : requestNumber(number), receipt.mediaType);
	return new Response(object.body, {
		headers: {
			"Content-Type": receipt.mediaType,
			"Content-Length": String(object.size),
			"Content-Disposition": `${disposition}; filename="${name}"`,
			// An uploaded file must not run scripts: opened directly it has no origin and no permissions.
			"Content-Security-Policy": "default-src 'none'; sandbox",
		},
	});
}

/** Audits that an administrator or accountant opens it; if that fails, it isn't shown. */
async function auditView(
	context: RequestContext,
	reader: ReaderContext,
	id: string,
	object: R2ObjectBody,
): Promise<void> {
	try {
		await recordView(reader, id);
	} catch (error) {
		await object.body.cancel();
		if (error instanceof Response) throw error;
		console.error(
			JSON.stringify({
				level: "error",
				requestId: context.requestId,
				audit: String(error).slice(0, 256),
			}),
		);
		context.reportFault(error);
		throw apiRefusal(
			503,
			"Receipts can't be displayed right now. Please try again in a moment.",
			undefined,
			{ "Retry-After": "10" },
		);
	}
}

/**
 * The object, or the refusal: 503 while the store is down, 404 if the file is gone. Both are
 * logged.
 */
async function storedObject(context: RequestContext, key: string): Promise<R2ObjectBody> {
	const complain = (fileStore: string, error: unknown = new Error(fileStore)) => {
		console.error(JSON.stringify({ level: "error", requestId: context.requestId, fileStore }));
		context.reportFault(error);
	};
	let object: R2ObjectBody | null;
	try {
		object = await context.env.RECEIPTS.get(key);
	} catch (error) {
		complain(String(error).slice(0, 256), error);
		throw apiRefusal(
			503,
			"Receipts can't be displayed right now. Please try again in a moment.",
			undefined,
			{ "Retry-After": "10" },
		);
	}
	if (object) return object;
	complain(`${key} is missing`);
	throw apiRefusal(404, "This receipt's file is missing. Contact your fleet administrator.");
}
