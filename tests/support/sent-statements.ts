/** Statements sent as files to the domain, on real D1 and R2. */
import { expect } from "vitest";
import type { AdminContext } from "../../app/domain/kernel/context.ts";
import type { Answers } from "../../app/domain/statements/answers.ts";
import {
	type ImportMode,
	importStatement,
} from "../../app/domain/statements/commands/import.server.ts";
import { fileKey } from "../../app/domain/statements/object-writer.server.ts";
import { openStatement } from "../../app/domain/statements/open.server.ts";
import { planStatement } from "../../app/domain/statements/plan.server.ts";

/** Uploads a file, and answers its questions at once. */
export async function openFile(
	admin: AdminContext,
	store: R2Bucket,
	text: string,
	fileName: string,
	answers: Partial<Answers> = {},
) {
	const id = crypto.randomUUID();
	await store.put(fileKey(id), text);
	const source = { kind: "stored", id, fileName, contentTag: id, size: text.length } as const;
	return openStatement(admin, store, source, answers);
}

/** What importing a file would do. */
export async function planFile(...args: Parameters<typeof openFile>) {
	const opened = await openFile(...args);
	if (!opened.ok) throw new Error(JSON.stringify(opened));
	return planStatement(args[0], args[1], opened.value);
}

/** Imports a file. */
export async function importFile(
	mode: ImportMode,
	...[admin, store, ...file]: Parameters<typeof openFile>
) {
	const opened = await openFile(admin, store, ...file);
	expect(opened.ok, JSON.stringify(opened)).toBe(true);
	if (!opened.ok) throw new Error("not opened");
	return importStatement(admin, store, opened.value, mode);
}
