/** POST /api/statements as a script sends it, and the result. */
import * as v from "valibot";
import { expect } from "vitest";
import { openStatementShape, statementShape } from "../../app/domain/statements/shape.server.ts";
import { errorShape } from "../../app/values/shapes.ts";
import { multipart } from "./forms.ts";
import type { Answer, Client } from "./worker.ts";

export type StatementBody = {
	readonly message?: string;
	readonly id: string;
	readonly importId: string | null;
	readonly format: string;
	readonly platform: string | null;
	readonly period: { readonly from: string | null; readonly to: string | null };
	readonly needs: readonly string[];
	readonly overlaps: readonly { readonly fileName: string }[];
	readonly fees: readonly {
		readonly platformId: string;
		readonly name: string;
		readonly driverId: string | null;
		readonly date: string | null;
		readonly category: string;
		readonly amount: string;
		readonly isCredit: boolean;
		readonly state: string;
		readonly isPossibleDuplicate: boolean;
		readonly isDriverInactive: boolean;
	}[];
	readonly leftOut: readonly {
		readonly row: number;
		readonly reason: string;
		readonly amount: string | null;
	}[];
	readonly netted: readonly { readonly platformId: string; readonly date: string }[];
	readonly unknownColumns: readonly { readonly name: string; readonly total: string }[];
};

/** A file and its name. */
export type SentFile = { readonly bytes: Uint8Array; readonly name: string };

/** The API document's schema of an answer. */
const shapeOf = (status: number, body: object): v.GenericSchema => {
	if (status < 300) return statementShape;
	return "needs" in body ? openStatementShape : errorShape;
};

/**
 * Sends a statement's file, or just the fields for one that was sent before. The answer must have
 * what the API's document says, no more.
 */
export async function callStatements(
	client: Client,
	fields: Readonly<Record<string, string>>,
	file?: SentFile,
	mayFail = false,
): Promise<Answer & { readonly body: StatementBody }> {
	const sent = await multipart(fields, file && { ...file, type: "text/csv" }, "file");
	const answer = await client.request("/api/statements", { ...sent, mayFail });
	const body = JSON.parse(answer.text) as StatementBody;
	const { issues } = v.safeParse(shapeOf(answer.status, body), body);
	expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toBeUndefined();
	return { ...answer, body };
}

/** A decimal amount in cents. */
export const centsOf = (amount: string | null): number => Math.round(Number(amount) * 100);
