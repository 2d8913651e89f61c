/** POST /api/statements as a script sends it, and the result. */
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

/** Sends a statement's file, or just the fields for one that was sent before. */
export async function callStatements(
	client: Client,
	fields: Readonly<Record<string, string>>,
	file?: SentFile,
	mayFail = false,
): Promise<Answer & { readonly body: StatementBody }> {
	const sent = await multipart(fields, file && { ...file, type: "text/csv" }, "file");
	const answer = await client.request("/api/statements", { ...sent, mayFail });
	return { ...answer, body: JSON.parse(answer.text) };
}

/** A decimal amount in cents. */
export const centsOf = (amount: string | null): number => Math.round(Number(amount) * 100);
