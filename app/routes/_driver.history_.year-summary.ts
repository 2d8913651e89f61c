/** The summary of a driver's own year as a download. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { downloadYear } from "./_driver.history/download-year.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { driver } = await requireDriver(args);
	return downloadYear(args.request, args.context, driver, {
		name: "year-summary",
		formats: ["pdf", "csv"],
		build: async (...asked) => {
			const { buildYearSummary } = await import("../domain/reports/year-summary.server.ts");
			return buildYearSummary(...asked);
		},
	});
}
