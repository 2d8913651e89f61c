/** Statements that wait under their previews: an hour each, for whoever sent them. */
import { and, eq, gt } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { statementFiles } from "../../db/schema.ts";
import type { AdminContext } from "../context.ts";
import { type Answers, NO_ANSWERS, parseAnswers } from "./answers.ts";
import type { StatementFacts } from "./reading.server.ts";

/** How long a statement waits, milliseconds. */
export const WAITING_MS = 3_600_000;

export type WaitingStatement = {
	readonly id: string;
	readonly fileName: string;
	readonly contentTag: string;
	readonly facts: StatementFacts;
	readonly answers: Answers;
};

type NewStatement = Pick<WaitingStatement, "id" | "fileName" | "contentTag" | "facts">;

/** Notes a statement that was read. */
export async function keepWaiting(
	{ db, user, now }: AdminContext,
	{ id, fileName, contentTag, facts }: NewStatement,
): Promise<WaitingStatement> {
	await db.batch({
		kept: db.build
			.insert(statementFiles)
			.values({
				id,
				addedBy: user.id,
				fileName,
				contentTag,
				facts: JSON.stringify(facts),
				createdAt: now,
				expiresAt: now + WAITING_MS,
			})
			.onConflictDoNothing(),
	});
	return { id, fileName, contentTag, facts, answers: NO_ANSWERS };
}

function mine(build: Builder, { user, now }: AdminContext, id: string) {
	return build
		.select()
		.from(statementFiles)
		.where(
			and(
				eq(statementFiles.id, id),
				eq(statementFiles.addedBy, user.id),
				gt(statementFiles.expiresAt, now),
			),
		);
}

/** One's own statement that still waits. */
export async function findWaiting(
	admin: AdminContext,
	id: string,
): Promise<WaitingStatement | undefined> {
	const { found } = await admin.db.batch({ found: mine(admin.db.build, admin, id) });
	const [row] = found;
	if (!row) return undefined;
	const { fileName, contentTag, facts, answers } = row;
	return {
		id,
		fileName,
		contentTag,
		facts: JSON.parse(facts) as StatementFacts,
		answers: parseAnswers(answers),
	};
}

/** Keeps what was answered, and what was read with the answer. */
export async function keepAnswers(
	{ db }: AdminContext,
	{ id, answers, facts }: Pick<WaitingStatement, "id" | "answers" | "facts">,
): Promise<void> {
	await db.batch({
		kept: db.build
			.update(statementFiles)
			.set({ answers: JSON.stringify(answers), facts: JSON.stringify(facts) })
			.where(eq(statementFiles.id, id)),
	});
}
