/**
 * What the forms of this screen do: read a file, read it again with other columns, import it, undo
 * an import.
 */

import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import type { AdminContext } from "../../domain/context.ts";
import { recallColumns, rememberColumns } from "../../domain/fee-imports/columns.server.ts";
import { type ImportRefusal, importFees } from "../../domain/fee-imports/commands/import.server.ts";
import { undoImport } from "../../domain/fee-imports/commands/undo-import.server.ts";
import { type Preview, previewImport } from "../../domain/fee-imports/preview.server.ts";
import { whyNotImported, whyNotUndone } from "../../domain/fee-imports/refusals.ts";
import { FILE_REFUSALS } from "../../domain/fee-imports/rules.ts";
import { decodeText, mappingToFields, parseMapping } from "../../domain/fee-imports/statement.ts";
import { displayFileName } from "../../domain/receipts/file-name.ts";
import { onForm } from "../../domain/refusal-table.ts";
import { fileKey, type Upload } from "../../domain/statements/object-writer.server.ts";
import { openStatement } from "../../domain/statements/open.server.ts";
import { TOO_MANY, whyNotOpened } from "../../domain/statements/refusals.ts";
import { receiveUpload } from "../../domain/statements/upload.server.ts";
import { textField, uploadedFile } from "../../http/form.server.ts";
import { isOverLimit, statementsKey } from "../../http/rate-limit.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS } from "../../messages.ts";
import { refused } from "../../values/outcome.ts";
import type { ImportAnswer } from "./answer.ts";
import { toPreviewView } from "./preview.server.ts";
import {
	answerAction,
	forgetAction,
	importStatementAction,
	refusedWith,
	shownAt,
} from "./statement-actions.server.ts";

const NAMELESS = "statement.csv";
const answered = (admin: AdminContext, refusal: ImportRefusal) => {
	const { status, message } = onForm(whyNotImported(refusal, admin));
	return { status, toast: TOASTS.feeImportFailed, problem: message };
};
const badFile = (admin: AdminContext, message: string): ImportAnswer =>
	answered(admin, refused("bad-file", { message }));

/**
 * The file of the form: a platform's statement waits under its preview; of any other file nothing is
 * kept but what the form of its preview carries on.
 */
async function uploadAction(
	context: RequestContext,
	admin: AdminContext,
	request: Request,
): Promise<Response | ImportAnswer> {
	const file = context.upload() ?? (await uploadedFile(context, ["file"]));
	if (!file) return badFile(admin, FILE_REFUSALS.missing);
	const bucket = statementStore(context);
	if (
		file instanceof File &&
		(await isOverLimit(context.env.REPORT_LIMIT, statementsKey(admin.user.id)))
	)
		return {
			...refusedWith(TOO_MANY.status, TOO_MANY.message),
			retryAfter: TOO_MANY.retryAfter,
		};
	const upload = file instanceof File ? await receiveUpload(context.env.RECEIPTS, file) : file;
	const opened = await openStatement(admin, bucket, upload, {});
	if (opened.ok) return shownAt(request, context, opened.value.id);
	if (opened.reason === "unknown-file" && upload.kind === "stored")
		return columnsPreview(bucket, admin, upload);
	const { status, message } = onForm(whyNotOpened(opened, admin));
	return { status, toast: TOASTS.feeImportFailed, problem: message };
}

/** The preview of a file whose columns are chosen, as they were chosen the last time. */
async function columnsPreview(
	bucket: R2Bucket,
	admin: AdminContext,
	{ id, fileName }: Extract<Upload, { kind: "stored" }>,
): Promise<ImportAnswer> {
	const object = await bucket.get(fileKey(id));
	const bytes = new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
	await bucket.delete(fileKey(id));
	const text = decodeText(bytes);
	if (!text.ok) return answered(admin, text);
	const preview = await previewImport(admin, text.value, await recallColumns(admin.db, text.value));
	if (!preview.ok) return answered(admin, preview);
	return shown(admin, preview.value, { text: text.value, fileName, key: crypto.randomUUID() });
}

type Carried = { readonly text: string; readonly fileName: string; readonly key: string };

/** What the preview's form carries: the file itself, to be read anew. */
async function carried(context: RequestContext): Promise<Carried> {
	const key = await textField(context, "key");
	return {
		text: await textField(context, "csv"),
		fileName: displayFileName((await textField(context, "fileName")) || NAMELESS),
		key: /^[\x21-\x7e]{1,255}$/.test(key) ? key : crypto.randomUUID(),
	};
}

function shown(
	admin: AdminContext,
	preview: Preview,
	form: Carried,
	more: Partial<ImportAnswer> = {},
): ImportAnswer {
	return {
		status: 200,
		...more,
		preview: toPreviewView(
			preview,
			{ ...form, fields: mappingToFields(preview.mapping) },
			admin.timeZone,
		),
	};
}

/** The preview again, with the columns as they are chosen now. */
async function previewAction(context: RequestContext, admin: AdminContext): Promise<ImportAnswer> {
	const form = await carried(context);
	const preview = await previewImport(admin, form.text, parseMapping(await context.form()));
	return preview.ok ? shown(admin, preview.value, form) : answered(admin, preview);
}

/** Imports what the form carries. Nothing of the preview is believed: the file is read anew. */
async function importAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | ImportAnswer> {
	const form = await carried(context);
	const outcome = await importFees(admin, { ...form, mapping: parseMapping(await context.form()) });
	if (outcome.ok) {
		await rememberColumns(admin, form.text, parseMapping(await context.form()));
		const { import: made, isReplay } = outcome.value;
		const fees = made.rowCount === 1 ? "1 Uber fee" : `${made.rowCount} Uber fees`;
		return seeOther(`/uber-fees/import#import-${made.id}`, context.settings, [
			isReplay ? "feesImportedBefore" : "feesImported",
			fees,
		]);
	}
	if (outcome.reason === "bad-file") return answered(admin, outcome);
	if (outcome.reason === "not-importable")
		return shown(admin, outcome.details, form, answered(admin, outcome));
	// The preview as it is now.
	const preview = await previewImport(admin, form.text, parseMapping(await context.form()));
	if (!preview.ok) return answered(admin, preview);
	const key = outcome.reason === "key-reused" ? crypto.randomUUID() : form.key;
	return shown(admin, preview.value, { ...form, key }, answered(admin, outcome));
}

/** Undoes the import of the row. */
async function undoAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | ImportAnswer> {
	const id = await textField(context, "id");
	const outcome = await undoImport(admin, id);
	if (outcome.ok)
		return seeOther(`/uber-fees/import#import-${id}`, context.settings, "feeImportUndone");
	if (outcome.reason === "not-found") throw refusal({ kind: "not-found" }, 404);
	const { status, message } = onForm(whyNotUndone(outcome, admin));
	return {
		status,
		toast: {
			...TOASTS.feeImportUndoFailed,
			text: `${TOASTS.feeImportUndoFailed.text}. ${message}`,
		},
	};
}

/** What each form of the screen does, by its intent. */
export const ACTIONS: Readonly<Record<string, typeof uploadAction>> = {
	upload: uploadAction,
	preview: previewAction,
	import: importAction,
	undo: undoAction,
	answer: answerAction,
	"import-statement": importStatementAction,
	forget: forgetAction,
};
