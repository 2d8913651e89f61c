/** A driver's own mileage log of a year as a download. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { downloadYear } from "./_driver.history/download-year.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { driver } = await requireDriver(args);
	return downloadYear(args.request, args.context, driver, {
		name: "mileage-log",
		formats: ["pdf", "excel"],
		build: async (...asked) => {
			const { buildOwnMileageLog } = await import("../domain/reports/mileage-log.server.ts");
			return buildOwnMileageLog(...asked);
		},
		unlimited: (year) => ({
			href: `/history/tax-year?year=${year}&format=xlsx`,
			words: "Download it as Excel",
		}),
	});
}
