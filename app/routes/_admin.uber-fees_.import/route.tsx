/**
 * Importing a fee statement: choose a CSV file, see what would become of every row, import it; and
 * the imports of late, with Undo.
 */

import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { listRecentImports } from "../../domain/fee-imports/queries.server.ts";
import { isUndoable, LIMITS_TEXT, UNDO_MINUTES } from "../../domain/fee-imports/rules.ts";
import { showMoment } from "../../domain/fund-requests/status-messages.ts";
import { textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import {
	type ImportAnswer,
	importAction,
	previewAction,
	undoAction,
	uploadAction,
} from "./actions.server.ts";
import { Preview } from "./preview.tsx";

export const handle = { title: "Import Uber Fees" };

export async function loader(args: LoaderFunctionArgs) {
	const { admin, imports } = await requireAdmin(args, ({ build }) => ({
		imports: listRecentImports(build),
	}));
	return {
		viewer: toViewer(admin),
		imports: imports.map(({ import: each, firstName, lastName }) => ({
			id: each.id,
			when: showMoment(admin.timeZone, each.createdAt),
			who: `${firstName} ${lastName}`,
			fileName: each.fileName,
			fees: each.rowCount,
			undone: each.undoneAt === null ? "" : showMoment(admin.timeZone, each.undoneAt),
			isUndoable: isUndoable(each, admin.user.id, admin.now),
		})),
	};
}

type Data = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { admin } = await requireAdmin(args);
	const actions: Readonly<Record<string, typeof importAction>> = {
		upload: uploadAction,
		preview: previewAction,
		import: importAction,
		undo: undoAction,
	};
	const intent = await textField(context, "intent");
	const chosen = Object.hasOwn(actions, intent) ? actions[intent] : undefined;
	if (!chosen)
		throw refusal({ kind: "bad-request", message: "This form does not say what to do." }, 400);
	const answer = await chosen(context, admin);
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

function Upload({ problem }: { problem: string | undefined }) {
	return (
		<form
			method="post"
			action="/uber-fees/import"
			encType="multipart/form-data"
			className="grid gap-4"
		>
			<input type="hidden" name="intent" value="upload" />
			<PlainField
				id="file"
				label="CSV file"
				errors={problem ? [problem] : undefined}
				hint={`${LIMITS_TEXT}, the first row naming the columns: driver (code, e-mail or name), category, amount such as 12.50, date as 2026-11-02 or 11/2/2026, and a reference number if there is one.`}
			>
				{(control) => (
					<Input
						{...control}
						type="file"
						name="file"
						accept=".csv,.tsv,.txt,text/csv"
						aria-required="true"
					/>
				)}
			</PlainField>
			<div>
				<Button pending="Reading..." size="wide">
					Show preview
				</Button>
			</div>
		</form>
	);
}

const COLUMNS = [
	{ head: "When" },
	{ head: "Imported by" },
	{ head: "File" },
	{ head: "Fees", isNumber: true },
	{ head: "Actions", isHidden: true, isControl: true },
];

function Imports({ imports }: { imports: Data["imports"] }) {
	if (imports.length === 0) return <Empty>No statement has been imported yet</Empty>;
	return (
		<DataTable caption="Recent imports" columns={COLUMNS}>
			{imports.map((each) => (
				<tr key={each.id} id={`import-${each.id}`}>
					<TableRowHead label="When">{each.when}</TableRowHead>
					<TableCell label="Imported by" className="wrap-anywhere">
						{each.who}
					</TableCell>
					<TableCell label="File" className="wrap-anywhere">
						{each.fileName}
					</TableCell>
					<TableCell label="Fees" isNumber className="tabular-nums">
						{each.fees.toLocaleString("en-US")}
					</TableCell>
					<TableCell isControl className="max-sm:empty:hidden">
						{each.undone ? (
							<span className="grid justify-items-start gap-1">
								<Badge variant="quiet">Undone</Badge>
								<span className="text-sm text-quiet">{each.undone}</span>
							</span>
						) : null}
						{each.isUndoable ? (
							<form method="post" action="/uber-fees/import">
								<input type="hidden" name="intent" value="undo" />
								<input type="hidden" name="id" value={each.id} />
								<Button variant="outline" pending="Undoing...">
									Undo<span className="sr-only">{` the import of ${each.fileName}`}</span>
								</Button>
							</form>
						) : null}
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}

export default function ImportUberFees() {
	const data = useView<Data>();
	const answer = useAnswer<ImportAnswer>();
	const preview = answer?.preview;
	return (
		<Portal
			viewer={data.viewer}
			current="/uber-fees"
			title="Import Uber Fees"
			toast={answer?.toast}
		>
			{preview ? (
				<>
					{answer.problem ? <Alert variant="bad">{answer.problem}</Alert> : null}
					<Preview preview={preview} />
				</>
			) : (
				<Section
					id="upload"
					title="Fee statement"
					actions={
						<ButtonLink href="/uber-fees" variant="ghost">
							Back to Uber fees
						</ButtonLink>
					}
				>
					<Card>
						<Upload problem={answer?.problem} />
					</Card>
				</Section>
			)}
			<Section id="imports" title="Recent imports">
				<Imports imports={data.imports} />
				<p className="text-sm text-quiet">{`Whoever imported a statement can undo it for ${UNDO_MINUTES} minutes: its fees are deleted again.`}</p>
			</Section>
		</Portal>
	);
}
