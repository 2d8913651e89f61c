/** A driver's published week as a PDF. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { weekStatement } from "../domain/settlements/own.server.ts";
import { weekPdf } from "./_driver.earnings_.$id/files.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { driver, ...answers } = await requireDriver(args, ({ build, me }) =>
		weekStatement(build, me, args.params.id ?? ""),
	);
	return weekPdf(args.context, driver, answers);
}
