/** What the forms of this screen do: read a file, read it again with other columns, import it, undo an import. */

import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/context.ts";
import { importFees } from "../../domain/fee-imports/commands/import.server.ts";
import { undoImport } from "../../domain/fee-imports/commands/undo-import.server.ts";
import { type Preview, previewImport } from "../../domain/fee-imports/preview.server.ts";
import { FILE_REFUSALS, UNDO_MINUTES } from "../../domain/fee-imports/rules.ts";
import { mappingFields, mappingFrom, textOf } from "../../domain/fee-imports/statement.ts";
import { shownFileName } from "../../domain/receipts/file-name.ts";
import { fieldOf, fileOf } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast } from "../../messages.ts";
import { shownPreview } from "./preview.server.ts";

export type ImportAnswer = {
	readonly status: number;
	readonly toast?: Toast;
	/** What is wrong with the file, or with what was asked. */
	readonly problem?: string;
	readonly preview?: ReturnType<typeof shownPreview>;
};

const NAMELESS = "statement.csv";
const failed = (status: number, problem: string): ImportAnswer => ({ status, toast: TOASTS.feeImportFailed, problem });

/** The file of the form as a preview: nothing is kept of it but what the form carries on. */
export async function uploadAction(context: RequestContext, admin: AdminContext): Promise<ImportAnswer> {
	const file = await fileOf(context, ["file"]);
	if (!file) return failed(400, FILE_REFUSALS.missing);
	const text = textOf(new Uint8Array(await file.arrayBuffer()));
	if (!text.ok) return failed(400, text.details.message);
	const preview = await previewImport(admin, text.value, undefined);
	if (!preview.ok) return failed(400, preview.details.message);
	return shown(admin, preview.value, { text: text.value, fileName: shownFileName(file.name || NAMELESS), key: crypto.randomUUID() });
}

type Carried = { readonly text: string; readonly fileName: string; readonly key: string };

/** What the preview's form carries: the file itself, to be read anew. */
async function carried(context: RequestContext): Promise<Carried> {
	const key = await fieldOf(context, "key");
	return {
		text: await fieldOf(context, "csv"),
		fileName: shownFileName((await fieldOf(context, "fileName")) || NAMELESS),
		key: /^[\x21-\x7e]{1,255}$/.test(key) ? key : crypto.randomUUID(),
	};
}

function shown(admin: AdminContext, preview: Preview, form: Carried, more: Partial<ImportAnswer> = {}): ImportAnswer {
	return { status: 200, ...more, preview: shownPreview(preview, { ...form, fields: mappingFields(preview.mapping) }, admin.timeZone) };
}

/** The preview again, with the columns as they are chosen now. */
export async function previewAction(context: RequestContext, admin: AdminContext): Promise<ImportAnswer> {
	const form = await carried(context);
	const preview = await previewImport(admin, form.text, mappingFrom(await context.form()));
	return preview.ok ? shown(admin, preview.value, form) : failed(400, preview.details.message);
}

/** Imports what the form carries. Nothing of the preview is believed: the file is read anew. */
export async function importAction(context: RequestContext, admin: AdminContext): Promise<Response | ImportAnswer> {
	const form = await carried(context);
	const outcome = await importFees(admin, { ...form, mapping: mappingFrom(await context.form()) });
	if (outcome.ok) {
		const { import: made, isReplay } = outcome.value;
		const fees = made.rowCount === 1 ? "1 Uber fee" : `${made.rowCount} Uber fees`;
		return seeOther(`/uber-fees/import#import-${made.id}`, context.settings, [isReplay ? "feesImportedBefore" : "feesImported", fees]);
	}
	const again = { toast: TOASTS.feeImportFailed };
	switch (outcome.reason) {
		case "bad-file":
			return failed(400, outcome.details.message);
		case "not-importable":
			return shown(admin, outcome.details, form, { ...again, status: 400, problem: "Nothing was imported: see what is said below." });
		case "changed-meanwhile":
			return previewWithWords(
				context,
				admin,
				form,
				"Something changed while you looked at this, so nothing was imported. Please look again.",
			);
		case "key-reused":
			return previewWithWords(
				context,
				admin,
				{ ...form, key: crypto.randomUUID() },
				"This form has imported another statement before. Press Import to import this one as well.",
			);
	}
}

/** The preview as it is now, and why nothing was imported. */
async function previewWithWords(context: RequestContext, admin: AdminContext, form: Carried, problem: string): Promise<ImportAnswer> {
	const preview = await previewImport(admin, form.text, mappingFrom(await context.form()));
	if (!preview.ok) return failed(400, preview.details.message);
	return shown(admin, preview.value, form, { status: 409, toast: TOASTS.feeImportFailed, problem });
}

/** Undoes the import of the row. */
export async function undoAction(context: RequestContext, admin: AdminContext): Promise<Response | ImportAnswer> {
	const id = await fieldOf(context, "id");
	const outcome = await undoImport(admin, id);
	if (outcome.ok) return seeOther(`/uber-fees/import#import-${id}`, context.settings, "feeImportUndone");
	if (outcome.reason === "not-found") throw refusal({ kind: "not-found" }, 404);
	const words = `An import can be undone by whoever made it, once, within ${UNDO_MINUTES} minutes.`;
	return { status: 409, toast: { ...TOASTS.feeImportUndoFailed, text: `${TOASTS.feeImportUndoFailed.text}. ${words}` } };
}
