/** Statements waiting under their previews, without a file. */
import type { Database, Statements } from "../../app/db/client.server.ts";
import type { AdminContext } from "../../app/domain/kernel/context.ts";
import { formatEvent } from "../../app/domain/statements/event-lines.ts";
import { readingKey } from "../../app/domain/statements/object-writer.server.ts";
import type { StatementFacts } from "../../app/domain/statements/reading.server.ts";
import type { StatementLine } from "../../app/domain/statements/statement.ts";
import { keepWaiting } from "../../app/domain/statements/waiting.server.ts";

export type WaitingLine = Pick<
	StatementLine,
	"key" | "platformId" | "date" | "category" | "cents"
> & { readonly name?: string };

/** A statement of Uber's with these lines, waiting for this person. */
export async function keepStatement(
	admin: AdminContext,
	store: R2Bucket,
	lines: readonly WaitingLine[],
	facts: Partial<StatementFacts> = {},
) {
	const id = crypto.randomUUID();
	const events = lines.map((line, row) =>
		formatEvent({ kind: "line", row: row + 2, name: "Somebody", ...line }),
	);
	await store.put(readingKey(id), events.map((event) => `${event}\n`).join(""));
	return keepWaiting(admin, {
		...{ id, fileName: "payments_order.csv", contentTag: id },
		facts: {
			...{ format: "uber-payments-order", platform: "uber", period: null, isByPeriod: false },
			...{ isPeriodAsked: false, currency: null, isAllCommission: false, hasIds: true },
			...{ feeColumns: [], notFeeColumns: [], unknownColumns: [], rows: lines.length },
			...facts,
		},
	});
}

/**
 * Someone's context that waits before the transaction that first makes an import.
 * @param until what it waits for
 */
export function waitingToImport(admin: AdminContext, until: () => Promise<unknown>): AdminContext {
	let isFirst = true;
	const db: Database = Object.create(admin.db, {
		batch: {
			value: async (statements: Statements) => {
				const isImport = "insert" in statements && "fees" in statements;
				if (isImport && isFirst) {
					isFirst = false;
					await until();
				}
				return admin.db.batch(statements);
			},
		},
	});
	return { ...admin, db };
}
