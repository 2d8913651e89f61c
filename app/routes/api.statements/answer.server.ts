/** Previews and imports a statement for a script. */
import { json } from "@remix-run/cloudflare";
import * as v from "valibot";
import type { RequestContext } from "../../auth/request-context.ts";
import { statementStore } from "../../auth/statement-store.server.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { missingColumns } from "../../domain/statements/columns.ts";
import { importStatement } from "../../domain/statements/commands/import.server.ts";
import { answersIn, type StatementInput, statementInput } from "../../domain/statements/input.ts";
import { statementJson } from "../../domain/statements/json.ts";
import { fileKey, readingKey } from "../../domain/statements/object-writer.server.ts";
import { openStatement } from "../../domain/statements/open.server.ts";
import { planStatement } from "../../domain/statements/plan.server.ts";
import { TOO_MANY, whyNotImported, whyNotOpened } from "../../domain/statements/refusals.ts";
import { receiveUpload } from "../../domain/statements/upload.server.ts";
import type { WaitingStatement } from "../../domain/statements/waiting.server.ts";
import { uploadedFile } from "../../http/form.server.ts";
import { parseJsonAs } from "../../http/json.server.ts";
import { isOverTransferLimit } from "../../http/rate-limit.server.ts";
import { apiRefusal, refusedCall } from "../../http/refusal.ts";
import { done, refused } from "../../values/outcome.ts";

/** The request's fields: of a form or, once the file was sent, of JSON. */
async function inputOf(context: RequestContext): Promise<StatementInput> {
	if (context.bodyText() !== "") return parseJsonAs(context, statementInput);
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

/** Refuses a file whose columns aren't known: a script can't choose them. */
function knownColumns(statement: WaitingStatement) {
	const { columns } = statement.facts;
	return columns && missingColumns(columns).length > 0
		? refused("unknown-file", { reason: columns.unrecognized })
		: done(statement);
}

/** The response, or a thrown refusal. */
export async function answerCall(context: RequestContext, admin: AdminContext): Promise<Response> {
	const bucket = statementStore(context);
	const input = await inputOf(context);
	const source = await sourceOf(context, input);
	const opened = await openStatement(admin, bucket, source, answersIn(input));
	const outcome = opened.ok ? knownColumns(opened.value) : opened;
	if (!outcome.ok) {
		// Nobody knows an id by which it could be requested again.
		if (source.kind === "stored") await bucket.delete([fileKey(source.id), readingKey(source.id)]);
		throw refusedCall(whyNotOpened(outcome, admin));
	}
	const statement = outcome.value;
	if (input.mode === "preview")
		return json(statementJson(statement, await planStatement(admin, bucket, statement)));
	const imported = await importStatement(admin, bucket, statement, input.mode);
	if (imported.ok) {
		const { plan, import: made } = imported.value;
		return json(statementJson(statement, plan, made?.id), { status: 201 });
	}
	const answer = whyNotImported(imported, admin);
	if (imported.reason !== "open-needs") throw refusedCall(answer);
	const { message, status } = answer;
	return json({ message, ...statementJson(statement, imported.details) }, { status });
}
