/** Everything stored about one person, as a ZIP. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { onePerson } from "../domain/people/rows.server.ts";
import { displayName, formatDriverCode } from "../domain/people/rules.ts";
import { driverPath } from "../domain/people/search.ts";
import { countReceipts, FILES_PER_PART } from "../domain/personal-data/receipts.server.ts";
import { download } from "../http/download.server.ts";
import { renderPlainPage, renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";

/** The requested part; 1 by default. */
function partIn(url: string): number {
	const asked = new URL(url).searchParams.get("part") ?? "1";
	return /^\d{1,4}$/.test(asked) ? Number(asked) : 0;
}

export async function loader(args: LoaderFunctionArgs) {
	const { context, params, request } = args;
	const id = params.id ?? "";
	const { admin, found, receipts } = await requireAdmin(args, ({ build }) => ({
		found: onePerson(build, id),
		receipts: countReceipts(build, id),
	}));
	const [person] = found;
	const part = partIn(request.url);
	const parts = Math.max(1, Math.ceil((receipts[0]?.count ?? 0) / FILES_PER_PART));
	const notFound = (sentence: string) =>
		renderPlainPage(404, "404 Page Not Found", sentence, context.requestId);
	if (!person) return notFound("Person not found.");
	if (part < 1 || part > parts) return notFound(`There are ${parts} parts, numbered from 1.`);
	if (await isOverTransferLimit(context.env, "downloads", admin.user.id))
		return renderTooManyPage(context.requestId);
	const code = formatDriverCode(person.driverNumber);
	const suffix = parts > 1 ? `-part-${part}` : "";
	const fileName = `personal-data-${code ?? id.slice(-12)}-${admin.today}${suffix}.zip`;
	// Loaded on demand, so that it doesn't slow the Worker's start.
	const { writeArchive } = await import("../domain/personal-data/archive.server.ts");
	if (context.method !== "HEAD")
		await recordDownload(admin, { action: "person.export", fileName, personId: id, chosen: {} });
	const name = displayName(person);
	return download(fileName, {
		mediaType: "application/zip",
		content: writeArchive({
			id,
			person: code ? `${name} (${code})` : name,
			appName: admin.settings.fleetName,
			madeBy: displayName(admin.user),
			madeAt: new Date(admin.now).toISOString(),
			part,
			parts,
			address: `${context.settings.origin}${driverPath(id)}/data.zip`,
			now: admin.now,
			db: admin.db,
			archive: admin.archive,
			receiptStore: context.env.RECEIPTS,
		}),
	});
}
