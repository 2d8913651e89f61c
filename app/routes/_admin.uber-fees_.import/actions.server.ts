/** What the forms of this screen do: keep a file, answer its questions, import it, undo an import. */

import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { undoImport } from "../../domain/statements/commands/undo-import.server.ts";
import { openStatement } from "../../domain/statements/open.server.ts";
import { TOO_MANY, whyNotOpened, whyNotUndone } from "../../domain/statements/refusals.ts";
import { importsUrl, parsePosition } from "../../domain/statements/search.ts";
import { receiveUpload } from "../../domain/statements/upload.server.ts";
import { textField, uploadedFile } from "../../http/form.server.ts";
import { isOverTransferLimit } from "../../http/rate-limit.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, withReason } from "../../messages.ts";
import type { ImportAnswer } from "./answer.ts";
import {
	answerAction,
	forgetAction,
	importStatementAction,
	refusedWith,
	shownAt,
} from "./statement-actions.server.ts";

const FAILED = { status: 400, toast: TOASTS.feeImportFailed } as const;

/** Keeps the form's file under its preview. */
async function uploadAction(
	context: RequestContext,
	admin: AdminContext,
	request: Request,
): Promise<Response | ImportAnswer> {
	const file = context.upload() ?? (await uploadedFile(context, ["file"]));
	if (!file) return { ...FAILED, problem: "Choose a CSV file" };
	if (file instanceof File && (await isOverTransferLimit(context.env, "statements", admin.user.id)))
		return {
			...refusedWith(TOO_MANY.status, TOO_MANY.message),
			retryAfter: TOO_MANY.retryAfter,
		};
	const upload = file instanceof File ? await receiveUpload(context.env.RECEIPTS, file) : file;
	const opened = await openStatement(admin, statementStore(context), upload, {});
	if (opened.ok) return shownAt(request, context, opened.value.id);
	const { status, message } = onForm(whyNotOpened(opened, admin));
	return { ...FAILED, status, problem: message };
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
	undo: undoAction,
	answer: answerAction,
	"import-statement": importStatementAction,
	forget: forgetAction,
};
