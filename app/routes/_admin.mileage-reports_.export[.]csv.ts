/**
 * The mileage report as a CSV file: the table 'Driver Performance Analysis' with the current
 * filters, all pages.
 */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { type Performance, sortByMileage } from "../domain/analytics/insights.ts";
import {
	remainingTotals,
	selectTotalsByDriver,
	selectTotalsPage,
} from "../domain/analytics/queries.server.ts";
import { costPerMile, getTier } from "../domain/analytics/rules.ts";
import { formatSearch, parseSearch } from "../domain/analytics/search.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import type { Thresholds } from "../domain/kernel/fleet-settings.ts";
import { shownDriverCode } from "../domain/people/rules.ts";
import { csvFile } from "../http/csv.server.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import type { CsvCell } from "../values/csv.ts";
import { inUnits } from "../values/fleet-units.ts";
import { toDecimal } from "../values/money.ts";

const HEAD = ["Driver", "Driver ID", "Total Miles", "Fuel Cost", "Cost per Mile", "Efficiency"];

/** Lines written at once. They are sorted by sums, so all are read before the first is written. */
const CHUNK = 500;

function cells(driver: Performance, thresholds: Thresholds): CsvCell[] {
	return [
		`${driver.firstName} ${driver.lastName}`.trim(),
		shownDriverCode(driver.driverNumber),
		String(driver.miles),
		toDecimal(driver.fuelCents),
		toDecimal(costPerMile(driver)),
		getTier(driver, thresholds) ?? inUnits("No miles"),
	];
}

export async function loader(args: LoaderFunctionArgs) {
	const view = parseSearch(new URL(args.request.url).searchParams, args.context.today);
	const { reader, first } = await requireReader(args, ({ build }) => ({
		first: view.driver
			? selectTotalsByDriver(build, view.period, view.driver)
			: selectTotalsPage(build, view.period),
	}));
	if (await isOverTransferLimit(args.context.env, "downloads", reader.user.id))
		return renderTooManyPage(args.context.requestId);
	const totals = view.driver ? first : await remainingTotals(reader.db, first, view.period);
	if (view.driver && totals.length === 0)
		throw redirect(`/mileage-reports/export.csv${formatSearch({ ...view, driver: undefined })}`);
	const drivers = view.driver ? totals : sortByMileage(totals);
	const isEmpty = drivers.every(({ miles, fuelCents }) => miles === 0 && fuelCents === 0);
	const lines = isEmpty ? [] : drivers;
	let written = CHUNK;
	const next = async () => {
		written += CHUNK;
		return lines.slice(written - CHUNK, written);
	};
	const fileName = `mileage-report-${reader.today}.csv`;
	const { from, to } = view.period;
	if (args.context.method !== "HEAD")
		await recordDownload(reader, {
			action: "mileage.export",
			fileName,
			chosen: { from, to, driverId: view.driver },
		});
	return csvFile(
		fileName,
		HEAD,
		lines.slice(0, CHUNK),
		next,
		(driver) => cells(driver, reader.settings),
		CHUNK,
	);
}
