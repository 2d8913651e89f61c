/** The answers in a form about a platform's statement, as they were sent: shown again if refused. */
import type { RequestContext } from "../../auth/request-context.ts";
import type { Answers } from "../../domain/statements/answers.ts";
import { columnField, mappingToFields, parseMapping } from "../../domain/statements/columns.ts";
import { textField } from "../../http/form.server.ts";
import { isRowId } from "../../values/row-id.ts";

/** How many drivers are asked about at once; more follow once they are matched. */
export const MAX_DRIVERS_ASKED = 100;

/** The form's answers, whether or not they can be read. */
export type TypedAnswers = {
	/**
	 * By the key a platform's driver is remembered by; the id is '' if text was typed instead of a
	 * choice.
	 */
	readonly drivers: readonly {
		readonly identity: string;
		readonly id: string;
		readonly text: string;
	}[];
	readonly from: string;
	readonly to: string;
	readonly overlap: boolean;
	readonly changed: Answers["changed"];
	readonly unproven: boolean;
	/** What each column is, in a file with custom columns. */
	readonly columns: Answers["columns"];
};

/** Reads them from the request's form. */
export async function readTypedAnswers(context: RequestContext): Promise<TypedAnswers> {
	const drivers: TypedAnswers["drivers"][number][] = [];
	for (let position = 0; position < MAX_DRIVERS_ASKED; position++) {
		const identity = await textField(context, `platform-${position}`);
		const text = (await textField(context, `driver-${position}`)).trim();
		if (identity !== "") drivers.push({ identity, id: isRowId(text) ? text : "", text });
	}
	const form = await context.form();
	const changed = await textField(context, "changed");
	return {
		drivers,
		from: await textField(context, "from"),
		to: await textField(context, "to"),
		overlap: (await textField(context, "overlap")) === "yes",
		changed: changed === "replace" || changed === "keep" ? changed : undefined,
		unproven: (await textField(context, "unproven")) === "yes",
		columns: form.has(columnField("driver")) ? mappingToFields(parseMapping(form)) : undefined,
	};
}

/**
 * The answers in a refused form about this statement. A form that succeeds redirects, so a POST
 * that gets here was refused.
 */
export async function readRefusedAnswers(
	context: RequestContext,
	statementId: string,
): Promise<TypedAnswers | undefined> {
	if (context.method !== "POST" || (await textField(context, "id")) !== statementId)
		return undefined;
	return readTypedAnswers(context);
}
