/** How the stand-in for Cloudflare handles databases and buckets. */
import { createHash, randomUUID } from "node:crypto";
import { splitCautiously } from "./cautious-splitter.ts";
import { type Account, type Call, databaseOf, json, Refused } from "./cloudflare-account.ts";
import { copyOf } from "./database-copy.ts";

type Statement = { readonly sql: string; readonly params?: readonly unknown[] };

/** Runs all statements in one transaction, as D1 does. */
async function query(account: Account, call: Call, id: string): Promise<unknown> {
	const { primary_location_hint: place = "wnam" } = databaseOf(account, id);
	const sent = json(call) as { sql?: string; batch?: Statement[] };
	const asked: Statement[] = sent.batch ?? [{ sql: sent.sql ?? "" }];
	const batch = asked.flatMap(({ sql, params }) =>
		splitCautiously(sql).map((piece): Statement => ({ sql: piece, ...(params ? { params } : {}) })),
	);
	const db = await account.runtime.database(id);
	try {
		const results = await db.batch(
			batch.map(({ sql, params = [] }) => db.prepare(sql).bind(...params)),
		);
		const served_by_region = String(place).toUpperCase();
		return results.map((each) => ({ ...each, meta: { ...each.meta, served_by_region } }));
	} catch (error) {
		const message = error instanceof Error ? error.message.replace(/^D1_ERROR: /, "") : "";
		throw new Refused(400, 7500, message);
	}
}

/** A bookmark for a database's current state. */
async function bookmarkOf({ runtime, bookmarks }: Account, id: string): Promise<string> {
	const bookmark = createHash("md5").update(`${id} ${bookmarks.size}`).digest("hex");
	bookmarks.set(bookmark, await copyOf(await runtime.database(id)));
	return bookmark;
}

/** A bucket as it was created. One with a jurisdiction exists only for requests that name it. */
function bucketOf({ buckets }: Account, { headers }: Call, name: string) {
	const bucket = buckets.get(name);
	if (bucket && (bucket.jurisdiction ?? null) === headers.get("cf-r2-jurisdiction")) return bucket;
	throw new Refused(404, 10006, "The specified bucket does not exist.");
}

/** A bucket's objects. */
function objectsOf(account: Account, call: Call, name: string): Promise<R2Bucket> {
	bucketOf(account, call, name);
	return account.runtime.bucket(name);
}

/** Answers an API request. */
export type Handler = (account: Account, call: Call, parts: string[]) => unknown;

/** Requests about databases. */
export const DATABASES: readonly (readonly [RegExp, Handler])[] = [
	[
		/^GET \/d1\/database$/,
		({ databases }, { query }) =>
			[...databases.values()].filter(({ name }) => [null, name].includes(query.get("name"))),
	],
	[
		/^POST \/d1\/database$/,
		async ({ databases, runtime }, call) => {
			const { name, ...more } = json(call) as { name: string };
			if ([...databases.values()].some((each) => each.name === name))
				throw new Refused(400, 7502, "A database with that name already exists");
			const uuid = randomUUID();
			databases.set(uuid, { uuid, name, ...more });
			await runtime.database(uuid);
			return databases.get(uuid);
		},
	],
	[/^GET \/d1\/database\/([^/]+)$/, (account, _, [id = ""]) => databaseOf(account, id)],
	[/^POST \/d1\/database\/([^/]+)\/query$/, (account, call, [id = ""]) => query(account, call, id)],
	[
		/^GET \/d1\/database\/([^/]+)\/time_travel\/bookmark$/,
		async (account, _, [id = ""]) => {
			databaseOf(account, id);
			return { bookmark: await bookmarkOf(account, id) };
		},
	],
	[
		/^POST \/d1\/database\/([^/]+)\/time_travel\/restore$/,
		async (account, { query }, [id = ""]) => {
			const bookmark = query.get("bookmark") ?? "";
			const copy = account.bookmarks.get(bookmark);
			if (!copy) throw new Refused(400, 7502, "The bookmark is invalid");
			const previous = await bookmarkOf(account, id);
			await account.runtime.restore(id, copy);
			return { bookmark, previous_bookmark: previous, message: "" };
		},
	],
	[
		/^PUT \/d1\/database\/([^/]+)$/,
		(account, call, [id = ""]) => {
			const database = { ...databaseOf(account, id), ...json(call) };
			account.databases.set(id, database);
			return database;
		},
	],
];

/** Requests about buckets and their objects. */
export const BUCKETS: readonly (readonly [RegExp, Handler])[] = [
	[/^GET \/r2\/buckets\/([^/]+)$/, (account, call, [name = ""]) => bucketOf(account, call, name)],
	[
		/^POST \/r2\/buckets$/,
		({ buckets }, call) => {
			const bucket = json(call) as { name: string };
			const jurisdiction = call.headers.get("cf-r2-jurisdiction");
			buckets.set(bucket.name, { ...bucket, ...(jurisdiction ? { jurisdiction } : {}) });
			return bucket;
		},
	],
	[
		/^GET \/r2\/buckets\/([^/]+)\/objects\/(.+)$/,
		async (account, call, [name = "", key = ""]) => {
			const object = await (await objectsOf(account, call, name)).get(key);
			if (!object) throw new Refused(404, 10007, "The specified key does not exist.");
			return new Uint8Array(await object.arrayBuffer());
		},
	],
	[
		/^PUT \/r2\/buckets\/([^/]+)\/objects\/(.+)$/,
		async (account, call, [name = "", key = ""]) => {
			const contentType = call.headers.get("Content-Type") ?? "";
			const bucket = await objectsOf(account, call, name);
			await bucket.put(key, new Uint8Array(call.body), { httpMetadata: { contentType } });
			return {};
		},
	],
];
