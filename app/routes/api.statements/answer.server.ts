/** Previews and imports a statement for a script. */
import { json } from "@remix-run/cloudflare";
import * as v from "valibot";
import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import { openByColumns, planByColumns } from "../../domain/fee-imports/by-columns.server.ts";
import {
	type ColumnsRefusal,
	importByColumns,
} from "../../domain/fee-imports/commands/import.server.ts";
import { columnsJson } from "../../domain/fee-imports/json.ts";
import { whyNotByColumns } from "../../domain/fee-imports/refusals.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { importStatement } from "../../domain/statements/commands/import.server.ts";
import { answersIn, type StatementInput, statementInput } from "../../domain/statements/input.ts";
import { statementJson } from "../../domain/statements/json.ts";
import { fileKey } from "../../domain/statements/object-writer.server.ts";
import { openStatement } from "../../domain/statements/open.server.ts";
import { planStatement } from "../../domain/statements/plan.server.ts";
import { TOO_MANY, whyNotImported, whyNotOpened } from "../../domain/statements/refusals.ts";
import { receiveUpload } from "../../domain/statements/upload.server.ts";
import { uploadedFile } from "../../http/form.server.ts";
import { isOverTransferLimit } from "../../http/rate-limit.server.ts";
import { apiRefusal, refusedCall } from "../../http/refusal.ts";
import type { RefusalAnswer } from "../../values/outcome.ts";

/** The request's fields. */
async function inputOf(context: RequestContext): Promise<StatementInput> {
	const form = await context.form();
	const fields: Record<string, string> = {};
	for (const [name, value] of form) {
		if (typeof value !== "string") continue;
		if (Object.hasOwn(fields, name)) throw apiRefusal(400, `The field ${name} was sent twice`);
		fields[name] = value;
	}
	const result = v.safeParse(statementInput, fields);
	if (result.success) return result.output;
	const [issue] = result.issues;
	throw apiRefusal(400, issue.message, { [v.getDotPath(issue) ?? "mode"]: [issue.message] });
}

/** The file that was sent, or the preview that the request names. */
async function sourceOf(context: RequestContext, { id }: StatementInput) {
	const stored = context.upload();
	if (stored) return stored;
	const file = await uploadedFile(context, ["file"]);
	if (file) {
		if (await isOverTransferLimit(context.env, "statements", context.userId ?? ""))
			throw refusedCall(TOO_MANY);
		return receiveUpload(context.env.RECEIPTS, file);
	}
	if (id) return { kind: "waiting", id } as const;
	throw apiRefusal(400, "Send the statement in a field named file, or the id of its preview.", {
		file: ["is missing"],
	});
}

type Source = Awaited<ReturnType<typeof sourceOf>>;

/** Previews and imports a file with custom columns. */
async function answerByColumns(
	admin: AdminContext,
	bucket: R2Bucket,
	source: Exclude<Source, { kind: "too-large" | "lost" }>,
	input: StatementInput,
	/** The message for a file with neither a platform's columns nor recognizable ones. */
	unrecognized: RefusalAnswer,
) {
	/** Nobody knows an id by which a file that was just sent could be requested again. */
	const discardAndRefuse = async (refused: ColumnsRefusal) => {
		if (source.kind === "stored") await bucket.delete(fileKey(source.id));
		const isUnknown = refused.reason === "unknown-columns" || refused.reason === "bad-file";
		return refusedCall(isUnknown ? unrecognized : whyNotByColumns(refused, admin));
	};
	const opened = await openByColumns(admin, source, answersIn(input));
	if (!opened.ok) throw await discardAndRefuse(opened);
	const waiting = opened.value;
	if (input.mode === "preview") {
		const read = await planByColumns(admin, bucket, waiting);
		if (read.ok) return json(columnsJson(waiting, read.value.plan));
		throw await discardAndRefuse(read);
	}
	const outcome = await importByColumns(admin, bucket, waiting, input.mode);
	if (outcome.ok) {
		const { plan, import: made } = outcome.value;
		return json(columnsJson(waiting, plan, made?.id), { status: 201 });
	}
	if (outcome.reason !== "open-needs") throw await discardAndRefuse(outcome);
	const { message, status } = whyNotByColumns(outcome, admin);
	return json({ message, ...columnsJson(waiting, outcome.details) }, { status });
}

/** The response, or a thrown refusal. */
export async function answerCall(context: RequestContext, admin: AdminContext): Promise<Response> {
	const bucket = statementStore(context);
	const input = await inputOf(context);
	const source = await sourceOf(context, input);
	const opened = await openStatement(admin, bucket, source, answersIn(input));
	if (!opened.ok) {
		const { kind } = source;
		const isOfColumns = opened.reason === "unknown-file" || opened.reason === "expired";
		if (isOfColumns && (kind === "stored" || kind === "waiting"))
			return answerByColumns(admin, bucket, source, input, whyNotOpened(opened, admin));
		// Nobody knows an id by which it could be requested again.
		if (kind === "stored") await bucket.delete(fileKey(source.id));
		throw refusedCall(whyNotOpened(opened, admin));
	}
	const statement = opened.value;
	if (input.mode === "preview")
		return json(statementJson(statement, await planStatement(admin, bucket, statement)));
	const outcome = await importStatement(admin, bucket, statement, input.mode);
	if (outcome.ok) {
		const { plan, import: made } = outcome.value;
		return json(statementJson(statement, plan, made?.id), { status: 201 });
	}
	const answer = whyNotImported(outcome, admin);
	if (outcome.reason !== "open-needs") throw refusedCall(answer);
	const { message, status } = answer;
	return json({ message, ...statementJson(statement, outcome.details) }, { status });
}
