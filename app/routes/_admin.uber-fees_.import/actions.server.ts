/**
 * What the forms of this screen do: parse a file, parse it again with other columns, import it,
 * undo an import.
 */

import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import { recallColumns, rememberColumns } from "../../domain/fee-imports/columns.server.ts";
import { type ImportRefusal, importFees } from "../../domain/fee-imports/commands/import.server.ts";
import { undoImport } from "../../domain/fee-imports/commands/undo-import.server.ts";
import { type Preview, previewImport } from "../../domain/fee-imports/preview.server.ts";
import { whyNotImported, whyNotUndone } from "../../domain/fee-imports/refusals.ts";
import { FILE_REFUSALS } from "../../domain/fee-imports/rules.ts";
import { importsUrl, parsePosition } from "../../domain/fee-imports/search.ts";
import { decodeText, mappingToFields, parseMapping } from "../../domain/fee-imports/statement.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { tidyUp } from "../../domain/kernel/tidy-up.server.ts";
import { displayFileName } from "../../domain/receipts/file-name.ts";
import { fileKey, type Upload } from "../../domain/statements/object-writer.server.ts";
import { openStatement } from "../../domain/statements/open.server.ts";
import { TOO_MANY, whyNotOpened } from "../../domain/statements/refusals.ts";
import { DEFAULT_FILE_NAME } from "../../domain/statements/rules.ts";
import { receiveUpload } from "../../domain/statements/upload.server.ts";
import { textField, uploadedFile } from "../../http/form.server.ts";
import { isOverTransferLimit } from "../../http/rate-limit.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, withReason } from "../../messages.ts";
import { pluralize } from "../../values/count.ts";
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

const refusedImport = (admin: AdminContext, refusal: ImportRefusal) => {
	const { status, message } = onForm(whyNotImported(refusal, admin));
	return { status, toast: TOASTS.feeImportFailed, problem: message };
};
const badFile = (admin: AdminContext, message: string): ImportAnswer =>
	refusedImport(admin, refused("bad-file", { message }));

/**
 * The form's file: a platform's statement waits under its preview; any other file is only carried
 * in the preview's form.
 */
async function uploadAction(
	context: RequestContext,
	admin: AdminContext,
	request: Request,
): Promise<Response | ImportAnswer> {
	const file = context.upload() ?? (await uploadedFile(context, ["file"]));
	if (!file) return badFile(admin, FILE_REFUSALS.missing);
	const bucket = statementStore(context);
	if (file instanceof File && (await isOverTransferLimit(context.env, "statements", admin.user.id)))
		return {
			...refusedWith(TOO_MANY.status, TOO_MANY.message),
			retryAfter: TOO_MANY.retryAfter,
		};
	const upload = file instanceof File ? await receiveUpload(context.env.RECEIPTS, file) : file;
	const opened = await openStatement(admin, bucket, upload, {});
	if (opened.ok) return shownAt(request, context, opened.value.id);
	if (opened.reason === "unknown-file" && upload.kind === "stored")
		return columnsPreview(bucket, admin, upload, opened.details.reason);
	const { status, message } = onForm(whyNotOpened(opened, admin));
	return { status, toast: TOASTS.feeImportFailed, problem: message };
}

/**
 * The preview of a file with custom columns, as they were chosen last time.
 * @param unrecognized why it isn't a platform's statement
 */
async function columnsPreview(
	bucket: R2Bucket,
	admin: AdminContext,
	{ id, fileName }: Extract<Upload, { kind: "stored" }>,
	unrecognized: string,
): Promise<ImportAnswer> {
	const object = await bucket.get(fileKey(id));
	const bytes = new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
	await bucket.delete(fileKey(id));
	const text = await decodeText(bytes);
	if (!text.ok) return refusedImport(admin, text);
	const preview = await previewImport(admin, text.value, await recallColumns(admin.db, text.value));
	if (!preview.ok) return refusedImport(admin, preview);
	const form = { text: text.value, fileName, key: crypto.randomUUID() };
	return previewAnswer(admin, preview.value, form, { unrecognized });
}

type Carried = {
	readonly text: string;
	readonly fileName: string;
	readonly key: string;
	/** Sending the form again imports fees that may have been added before. */
	readonly overlap?: boolean;
};

/** The contents of the preview's form: the file itself, to be parsed again. */
async function readCarriedForm(context: RequestContext): Promise<Carried> {
	const key = await textField(context, "key");
	return {
		text: await textField(context, "csv"),
		fileName: displayFileName((await textField(context, "fileName")) || DEFAULT_FILE_NAME),
		key: /^[\x21-\x7e]{1,255}$/.test(key) ? key : crypto.randomUUID(),
	};
}

function previewAnswer(
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
			{
				...form,
				fields: {
					...mappingToFields(preview.mapping),
					...(form.overlap ? { overlap: "yes" } : {}),
				},
			},
			admin.timeZone,
		),
	};
}

/** The preview again, with the columns chosen now. */
async function previewAction(context: RequestContext, admin: AdminContext): Promise<ImportAnswer> {
	const form = await readCarriedForm(context);
	const preview = await previewImport(admin, form.text, parseMapping(await context.form()));
	return preview.ok ? previewAnswer(admin, preview.value, form) : refusedImport(admin, preview);
}

/** Imports the form's file. Nothing in the preview is trusted: the file is parsed again. */
async function importAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | ImportAnswer> {
	const form = await readCarriedForm(context);
	const overlap = (await textField(context, "overlap")) === "yes";
	const mapping = parseMapping(await context.form());
	const outcome = await importFees(admin, { ...form, mapping, overlap });
	if (outcome.ok) {
		await tidyUp(admin, rememberColumns(admin, form.text, mapping));
		const { import: made, isReplay } = outcome.value;
		const fees = pluralize(made.rowCount, "Uber fee");
		return seeOther(`/uber-fees/import#import-${made.id}`, context.settings, [
			isReplay ? "feesImportedBefore" : "feesImported",
			fees,
		]);
	}
	if (outcome.reason === "bad-file" || outcome.reason === "contradictory-dates")
		return refusedImport(admin, outcome);
	if (outcome.reason === "not-importable")
		return previewAnswer(admin, outcome.details, form, refusedImport(admin, outcome));
	if (outcome.reason === "possible-duplicates") {
		const asked = { ...form, overlap: true };
		return previewAnswer(admin, outcome.details, asked, refusedImport(admin, outcome));
	}
	// The current preview.
	const preview = await previewImport(admin, form.text, parseMapping(await context.form()));
	if (!preview.ok) return refusedImport(admin, preview);
	const key = outcome.reason === "key-reused" ? crypto.randomUUID() : form.key;
	return previewAnswer(admin, preview.value, { ...form, key }, refusedImport(admin, outcome));
}

/** Undoes the row's import. */
async function undoAction(
	context: RequestContext,
	admin: AdminContext,
	request: Request,
): Promise<Response | ImportAnswer> {
	const id = await textField(context, "id");
	const outcome = await undoImport(admin, id);
	const here = importsUrl(parsePosition(new URL(request.url).searchParams));
	if (outcome.ok) return seeOther(`${here}#import-${id}`, context.settings, "feeImportUndone");
	if (outcome.reason === "not-found") throw refusal({ kind: "not-found" }, 404);
	const { status, message } = onForm(whyNotUndone(outcome, admin));
	return {
		status,
		toast: withReason(TOASTS.feeImportUndoFailed, message),
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
