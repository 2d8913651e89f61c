/** POST /api/statements: what a platform's statement says, and importing it. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import * as v from "valibot";
import { requireAdmin } from "../auth/guard.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { importStatement } from "../domain/statements/commands/import.server.ts";
import { answersIn, type StatementInput, statementInput } from "../domain/statements/input.ts";
import { statementJson } from "../domain/statements/json.ts";
import { fileKey } from "../domain/statements/object-writer.server.ts";
import { openStatement } from "../domain/statements/open.server.ts";
import { planStatement } from "../domain/statements/plan.server.ts";
import { whyNotImported, whyNotOpened } from "../domain/statements/refusals.ts";
import { receiveUpload } from "../domain/statements/upload.server.ts";
import { uploadedFile } from "../http/form.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";

/** The call's fields. */
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

/** The file that was sent, or the preview that the call names. */
async function sourceOf(context: RequestContext, { id }: StatementInput) {
	const stored = context.upload();
	if (stored) return stored;
	const file = await uploadedFile(context, ["file"]);
	if (file) return receiveUpload(context.env.RECEIPTS, file);
	if (id) return { kind: "waiting", id } as const;
	throw apiRefusal(400, "Send the statement in a field named file, or the id of its preview.", {
		file: ["is missing"],
	});
}

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { admin } = await requireAdmin(args);
	const bucket = context.env.RECEIPTS;
	const input = await inputOf(context);
	const source = await sourceOf(context, input);
	const opened = await openStatement(admin, bucket, source, answersIn(input));
	if (!opened.ok) {
		// Nobody has been told an id by which it could be asked for again.
		if (source.kind === "stored") await bucket.delete(fileKey(source.id));
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
