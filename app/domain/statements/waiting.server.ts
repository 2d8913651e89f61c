/** Statements waiting under their previews, for an hour each and only for whoever sent them. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { statementFiles } from "../../db/schema.ts";
import type { AdminContext } from "../kernel/context.ts";
import { type Answers, NO_ANSWERS, parseAnswers } from "./answers.ts";
import type { StatementFacts } from "./reading.server.ts";

/** How long a statement waits, in milliseconds. */
export const WAITING_MS = 3_600_000;

export type WaitingStatement = {
	readonly id: string;
	readonly fileName: string;
	readonly contentTag: string;
	readonly facts: StatementFacts;
	readonly answers: Answers;
};

/** Records a statement that was parsed. */
export async function keepWaiting(
	{ db, user, now }: AdminContext,
	{ id, fileName, contentTag, facts }: Omit<WaitingStatement, "answers">,
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

/** One's own waiting statement. */
export async function findWaiting(
	admin: AdminContext,
	id: string,
): Promise<WaitingStatement | undefined> {
	const { found } = await admin.db.batch({ found: mine(admin.db.build, admin, id) });
	const [row] = found;
	if (!row) return undefined;
	const { fileName, contentTag, answers } = row;
	const facts = JSON.parse(row.facts) as StatementFacts;
	return { id, fileName, contentTag, facts, answers: parseAnswers(answers) };
}

/** Stores the answers, and what was parsed with them. */
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

/** Notes that everything in it was imported before, until something else is answered. */
export async function noteAddsNothing(
	{ db }: AdminContext,
	{ id }: Pick<WaitingStatement, "id">,
): Promise<void> {
	await db.batch({
		noted: db.build
			.update(statementFiles)
			.set({ answers: sql`json_set(${statementFiles.answers}, '$.addsNothing', json('true'))` })
			.where(eq(statementFiles.id, id)),
	});
}
