/** Where a fleet's rows and receipts are: in a folder on this machine, or on Cloudflare. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { PATIENT_ATTEMPTS } from "../app/db/client.server.ts";
import { D1_PROXY, proxiedDatabase } from "../tests/support/d1-proxy.ts";
import { BackupError } from "./backup-file.ts";
import { outputLines, storageOptions } from "./local-worker.ts";
import { loadMiniflare } from "./packages.ts";
import { LimitWait } from "./rate-limit.ts";
import { archiveAccess, type RemoteAccess, remoteAccess } from "./remote-access.ts";
import { remoteDatabase } from "./remote-database.ts";
import {
	type Bucket,
	bucketIn,
	jurisdictionHeader,
	readConfig,
	receiptsIn,
} from "./wrangler-config.ts";

export type Place = {
	readonly db: D1Database;
	/** Has the trips of closed years; undefined if no database is bound to ARCHIVE. */
	readonly archive?: D1Database | undefined;
	readonly receipts: ReceiptStore;
	/** Has the nightly exports; undefined if no bucket is bound to BACKUPS. */
	readonly backups?: ReceiptStore | undefined;
	/** What people call it. */
	readonly name: string;
	close(): Promise<void>;
};

export type ReceiptStore = {
	get(key: string): Promise<Uint8Array | undefined>;
	put(key: string, bytes: Uint8Array<ArrayBuffer>, mediaType: string): Promise<void>;
};

/** What the local runtime answers while another process is writing; it hides SQLite's own words. */
const LOCKED = /internal error; reference|database is locked|SQLITE_BUSY/;

/** Asks again, for about five seconds, while a running server's writes lock the database. */
async function whileLocked(body: string, send: () => Promise<LocalAnswer>): Promise<LocalAnswer> {
	const statements: { readonly sql: string }[] = JSON.parse(body);
	// A write that failed may still have been done.
	const isRead = statements.every(
		({ sql }) =>
			/^\s*(select|with|pragma)\b/i.test(sql) && !/\b(insert|update|delete)\b/i.test(sql),
	);
	for (let tries = 1; ; tries++) {
		const answer = await send();
		if (answer.ok || !isRead || tries === PATIENT_ATTEMPTS) return answer;
		if (!LOCKED.test(await answer.clone().text())) return answer;
		await new Promise((goOn) => setTimeout(goOn, Math.min(25 * tries, 250)));
	}
}
type LocalAnswer = Awaited<ReturnType<Miniflare["dispatchFetch"]>>;

/** A state folder's database and receipts. A server may use the folder meanwhile if this only reads. */
export async function openLocalPlace(state: string): Promise<Place> {
	const [database, archive] = [randomUUID(), randomUUID()];
	const open = (name: string) =>
		proxiedDatabase((body) =>
			whileLocked(body, () =>
				worker.dispatchFetch(`http://database/${name}`, { method: "POST", body }),
			),
		);
	const { Miniflare } = loadMiniflare();
	const worker: Miniflare = new Miniflare({
		...storageOptions(state),
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
		d1Databases: { [database]: "milepost", [archive]: "milepost-archive" },
		handleRuntimeStdio: outputLines(() => undefined),
	} as MiniflareOptions);
	const bucket = () => worker.getR2Bucket("RECEIPTS");
	return {
		name: state,
		db: open(database),
		archive: open(archive),
		receipts: {
			async get(key) {
				const object = await (await bucket()).get(key);
				return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
			},
			async put(key, bytes, contentType) {
				await (await bucket()).put(key, bytes, { httpMetadata: { contentType } });
			},
		},
		close: () => worker.dispose().catch(() => undefined),
	};
}

/** The deployed fleet, or the one on this machine. */
export async function openFleet(isRemote: boolean): Promise<Place> {
	if (isRemote) return openRemotePlace();
	const state = resolve(process.env.MILEPOST_STATE ?? ".milepost");
	if (!existsSync(join(state, "d1")))
		throw new BackupError(
			`There is no database in ${state} yet. Run npm start once, or set MILEPOST_STATE.`,
		);
	return openLocalPlace(state);
}

/** The deployed database and bucket, over Cloudflare's API. */
export function openRemotePlace(): Place {
	const config = readConfig();
	const access = remoteAccess(config);
	const archiveAt = archiveAccess(config);
	const exports = bucketIn(config, "BACKUPS");
	return {
		name: "the deployed fleet",
		db: remoteDatabase(access),
		archive: archiveAt && remoteDatabase(archiveAt),
		receipts: remoteReceipts(access, receiptsIn(config)),
		backups: exports ? remoteReceipts(access, exports) : undefined,
		close: () => Promise.resolve(),
	};
}

/** A bucket over Cloudflare's API. */
export function remoteReceipts(
	{ url, token }: RemoteAccess,
	{ name: bucket, jurisdiction }: Bucket,
): ReceiptStore {
	const account = url.slice(0, url.indexOf("/d1/"));
	const own = { Authorization: `Bearer ${token}`, ...jurisdictionHeader(jurisdiction) };
	// Including its body, since a connection may end in the middle of it.
	const ask = async (key: string, init: RequestInit) => {
		const answer = await fetch(
			`${account}/r2/buckets/${encodeURIComponent(bucket)}/objects/${key}`,
			{
				...init,
				headers: { ...own, ...init.headers },
				signal: AbortSignal.timeout(60_000),
			},
		);
		const { status, ok, headers } = answer;
		return { status, ok, headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
	};
	const attempt = async (key: string, init: RequestInit) => {
		const limit = new LimitWait();
		for (let tries = 1; ; tries++) {
			let answer = await ask(key, init).catch(() => undefined);
			while (answer && (await limit.passes(answer.status, answer.headers)))
				answer = await ask(key, init).catch(() => undefined);
			if (answer && answer.status !== 429 && answer.status < 500) return answer;
			if (tries === 4)
				throw new BackupError(
					`The bucket ${bucket} doesn't answer (${answer ? `status ${answer.status}` : "no connection"}).`,
				);
			await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries));
		}
	};
	return {
		async get(key) {
			const answer = await attempt(key, {});
			if (answer.status === 404) return undefined;
			if (!answer.ok)
				throw new BackupError(`The bucket ${bucket} answered ${answer.status} to a read.`);
			return answer.bytes;
		},
		async put(key, body, contentType) {
			const answer = await attempt(key, {
				method: "PUT",
				body,
				headers: { "Content-Type": contentType },
			});
			if (!answer.ok)
				throw new BackupError(`The bucket ${bucket} answered ${answer.status} to a write.`);
		},
	};
}
