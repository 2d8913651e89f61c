/** A published week of any driver as the PDF that they get. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { driverOfWeek, weekStatement } from "../domain/settlements/own.server.ts";
import { weekPdf } from "./_driver.earnings_.$id/files.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		weekStatement(build, driverOfWeek(id), id),
	);
	return weekPdf(args.context, reader, answers);
}
