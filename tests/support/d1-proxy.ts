/**
 * Access to Miniflare's D1 by HTTP, through a small Worker next to the one under test. Miniflare's
 * own proxy loses statements to garbage collection when there are many, and makes two blocking
 * calls for each.
 */
import { type BatchResult, batchedDatabase } from "../../tools/batched-database.ts";

/** Runs a batch in the database named by the path, or in DB. */
export const D1_PROXY = `export default {
	async fetch(request, env) {
		const list = await request.json();
		const database = env[new URL(request.url).pathname.slice(1) || "DB"];
		try {
			return Response.json(await database.batch(list.map(({ sql, params }) => database.prepare(sql).bind(...params))));
		} catch (error) {
			return new Response(error.message, { status: 500 });
		}
	},
}`;

type Answer = { readonly ok: boolean; text(): Promise<string>; json(): Promise<unknown> };

/** The part of a D1 binding that the application and the tools use, provided by that Worker. */
export function proxiedDatabase(send: (body: string) => Promise<Answer>): D1Database {
	return batchedDatabase(async (batch) => {
		const answer = await send(JSON.stringify(batch));
		if (!answer.ok) throw new Error(await answer.text());
		return (await answer.json()) as BatchResult[];
	});
}
