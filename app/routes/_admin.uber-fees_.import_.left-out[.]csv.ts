/** What is left out of a waiting statement: rows that become no fee, open fees, and unknown drivers' money. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { statementStore } from "../auth/statement-store.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { leftOutText } from "../domain/statements/left-out-words.ts";
import type { Plan } from "../domain/statements/plan.ts";
import { unknownDriversOf } from "../domain/statements/unknown-drivers.ts";
import { findWaiting } from "../domain/statements/waiting.server.ts";
import { categoryText } from "../domain/uber-fees/rules.ts";
import { csvFile } from "../http/csv.server.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import type { CsvCell } from "../values/csv.ts";
import { toDecimal } from "../values/money.ts";

const HEAD = [
	"Row",
	"Why",
	"Driver in Statement",
	"Driver ID in Statement",
	"Date",
	"Category",
	"Amount",
];

/** The lines of the file. */
function linesOf(plan: Plan): (readonly CsvCell[])[] {
	return [
		...plan.fees
			.filter(({ state }) => state === "no-driver" || state === "changed")
			.map(({ row, name, platformId, date, category, cents, correction, isMissing }) => [
				row === undefined ? null : String(row),
				correction
					? `Recorded as ${toDecimal(correction.recordedCents)}${isMissing ? ", not in this statement" : ""}`
					: "Unknown driver",
				name,
				platformId,
				date,
				categoryText(category),
				isMissing ? null : toDecimal(cents),
			]),
		...unknownDriversOf(plan)
			.filter(({ fees }) => fees.length === 0)
			.map(({ name, platformId, due }) => [
				null,
				"Unknown driver: money due",
				name,
				platformId,
				null,
				null,
				toDecimal(due?.cents ?? 0),
			]),
		...plan.leftOut.map(({ row, cents, ...told }) => [
			String(row),
			leftOutText(told),
			null,
			null,
			null,
			null,
			cents === null ? null : toDecimal(cents),
		]),
	];
}

export async function loader(args: LoaderFunctionArgs) {
	const { reader } = await requireReader(args);
	if (await isOverTransferLimit(args.context.env, "downloads", reader.user.id))
		return renderTooManyPage(args.context.requestId);
	const id = new URL(args.request.url).searchParams.get("statement") ?? "";
	// Only an administrator has sent one.
	const waiting = reader.role === "admin" ? await findWaiting(reader, id) : undefined;
	if (reader.role !== "admin" || !waiting) throw redirect("/uber-fees/import");
	const { planStatement } = await import("../domain/statements/plan.server.ts");
	const plan = await planStatement(reader, statementStore(args.context), waiting);
	const lines = linesOf(plan);
	const fileName = `statement-left-out-${reader.today}.csv`;
	if (args.context.method !== "HEAD")
		await recordDownload(reader, {
			action: "statement.export",
			fileName,
			chosen: { statement: waiting.fileName },
		});
	return csvFile(
		fileName,
		HEAD,
		lines,
		async () => [],
		(line) => line,
		lines.length + 1,
	);
}
