/**
 * Importing a fee statement: drop a platform's file or choose a CSV, preview it, import it; and
 * recent imports, with Undo.
 */

import type {
	ActionFunctionArgs,
	HeadersFunction,
	LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../../auth/guard.server.ts";
import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { nameWithCode } from "../../domain/people/rules.ts";
import { platformLabel } from "../../domain/statements/platforms.ts";
import { LISTED, listImports, listRemembered } from "../../domain/statements/queries.server.ts";
import { LISTED_IMPORTS, STATEMENT_LIMITS_TEXT } from "../../domain/statements/rules.ts";
import { importsUrl, parsePosition } from "../../domain/statements/search.ts";
import { findWaiting } from "../../domain/statements/waiting.server.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { Island } from "../../islands/island.tsx";
import StatementDrop from "../../islands/statement-drop.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import type { ImportAnswer } from "./answer.ts";
import { toImportRow } from "./import-rows.server.ts";
import { Imports } from "./imports.tsx";
import { RememberedDrivers } from "./remembered.tsx";
import { Statement } from "./statement.tsx";

export const handle = { title: "Import Uber Fees" };

export async function loader(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const search = (query.get("alias") ?? "").trim().slice(0, 200);
	const position = parsePosition(query);
	const { reader, imports, remembered } = await requireReader(args, ({ build }) => ({
		// One extra row shows whether there is a next page.
		imports: listImports(build, LISTED_IMPORTS + 1, position),
		remembered: listRemembered(build, search),
	}));
	const id = query.get("statement");
	const statement = await statementOf(args.context, reader, id);
	const page = toPage(imports, position, LISTED_IMPORTS, ({ import: each }) => each);
	return {
		viewer: toViewer(reader),
		isGone: Boolean(id) && !statement,
		statement,
		search,
		hasMoreRemembered: remembered.length > LISTED,
		remembered: remembered
			.slice(0, LISTED)
			.map(({ firstName, lastName, driverNumber, ...alias }) => ({
				...alias,
				platform: platformLabel(alias.platform),
				driver: nameWithCode({ firstName, lastName, driverNumber }),
			})),
		/** The URL of this page of the imports. */
		here: importsUrl(position),
		pages: pageLinks(position, page, importsUrl),
		imports: page.rows.map((row) => toImportRow(row, reader)),
	};
}

/**
 * A waiting statement, which only an administrator has. The code that reads statements is loaded on
 * demand, not when the Worker starts.
 */
async function statementOf(context: RequestContext, reader: ReaderContext, id: string | null) {
	const waiting = id && reader.role === "admin" ? await findWaiting(reader, id) : undefined;
	if (reader.role !== "admin" || !waiting) return undefined;
	const { toStatementView } = await import("./statement-view.server.ts");
	const { readRefusedAnswers } = await import("./typed-answers.server.ts");
	const { planStatement } = await import("../../domain/statements/plan.server.ts");
	const plan = await planStatement(reader, statementStore(context), waiting);
	return toStatementView(reader, waiting, plan, await readRefusedAnswers(context, waiting.id));
}

type Data = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { admin } = await requireAdmin(args);
	const { ACTIONS } = await import("./actions.server.ts");
	const act = await chooseByIntent(context, ACTIONS);
	return toResponse(await act(context, admin, args.request));
}

/** A document keeps only the cookies of an action's headers by itself. */
export const headers: HeadersFunction = ({ actionHeaders, parentHeaders }) => {
	const wait = actionHeaders.get("Retry-After");
	return wait ? new Headers({ "Retry-After": wait }) : parentHeaders;
};

function Upload({ problem }: { problem: string | undefined }) {
	return (
		<form
			method="post"
			action="/uber-fees/import"
			encType="multipart/form-data"
			className="grid gap-4"
			data-upload="statement"
		>
			<input type="hidden" name="intent" value="upload" />
			<PlainField
				id="file"
				label="CSV file"
				errors={problem ? [problem] : undefined}
				hint={`Uber's payments by transaction or by driver, or Bolt's earnings per driver, just as you downloaded it. ${STATEMENT_LIMITS_TEXT}.`}
			>
				{(control) => (
					<Island
						name="statement-drop"
						component={StatementDrop}
						props={{
							id: control.id,
							describedBy: control["aria-describedby"] ?? "",
							isFaulty: control["aria-invalid"] === true,
						}}
					/>
				)}
			</PlainField>
			<details>
				<summary className="min-h-11 py-2.5 font-semibold text-accent">
					Import a CSV file of your own
				</summary>
				<p className="max-w-prose text-quiet">
					{`The first row names the columns: driver (code, email or name), category, amount such as 12.50, date as 2026-11-02 or 11/2/2026, and a reference number if there is one.`}
				</p>
			</details>
			<div>
				<Button pending="Reading..." size="wide">
					Show preview
				</Button>
			</div>
		</form>
	);
}

export default function ImportUberFees() {
	const data = useView<Data>();
	const answer = useAnswer<ImportAnswer>();
	const mayImport = useMay()("POST", "/uber-fees/import");
	return (
		<Portal
			viewer={data.viewer}
			current="/uber-fees"
			title={mayImport ? "Import Uber Fees" : "Imported Uber Fees"}
			toast={answer?.toast}
		>
			{data.statement ? (
				<>
					{answer?.problem ? (
						<Alert variant="bad" takesFocus>
							{answer.problem}
						</Alert>
					) : null}
					<Statement statement={data.statement} />
				</>
			) : (
				<Section
					id="upload"
					title={mayImport ? "Fee statement" : "Fee statements"}
					actions={
						<ButtonLink href="/uber-fees" variant="ghost" className="px-0 print:hidden">
							Back to Uber fees
						</ButtonLink>
					}
				>
					{mayImport ? (
						<Card>
							<Upload
								problem={
									answer?.problem ??
									(data.isGone
										? "This preview expired after an hour. Upload the file again."
										: undefined)
								}
							/>
						</Card>
					) : null}
				</Section>
			)}
			<Section id="imports" title="Recent imports">
				<Imports imports={data.imports} pages={data.pages} here={data.here} />
				<Pages links={data.pages} label="Pages of imports" anchor="imports" />
				{data.imports.length > 0 && mayImport ? (
					<p className="text-sm text-quiet">
						Undo deletes the fees of a statement, which can then be imported again.
					</p>
				) : null}
			</Section>
			<Section id="remembered" title="Remembered drivers">
				<RememberedDrivers
					remembered={data.remembered}
					hasMore={data.hasMoreRemembered}
					search={data.search}
				/>
			</Section>
		</Portal>
	);
}
