/** Where a fleet's rows and receipts are: in a folder on this machine, or on Cloudflare. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BackupError } from "./backup-file.ts";
import { fetchWithin } from "./fetch-within.ts";
import { openLocalDatabase } from "./local-database.ts";
import { LimitWait } from "./rate-limit.ts";
import { archiveAccess, type RemoteAccess, remoteAccess } from "./remote-access.ts";
import { remoteDatabase } from "./remote-database.ts";
import { stateFolder } from "./state-folder.ts";
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
	/** Name for messages. */
	readonly name: string;
	close(): Promise<void>;
};

export type ReceiptStore = {
	get(key: string): Promise<Uint8Array | undefined>;
	put(key: string, bytes: Uint8Array<ArrayBuffer>, mediaType: string): Promise<void>;
};

/** A state folder's database and receipts. A server may use the folder meanwhile if this only reads. */
export async function openLocalPlace(state: string): Promise<Place> {
	const { db, archive, receipts, close } = await openLocalDatabase(state);
	return {
		name: state,
		db,
		archive,
		receipts: {
			async get(key) {
				const object = await receipts.get(key);
				return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
			},
			async put(key, bytes, contentType) {
				await receipts.put(key, bytes, { httpMetadata: { contentType } });
			},
		},
		close,
	};
}

/** The deployed fleet, or the one on this machine. */
export async function openFleet(isRemote: boolean): Promise<Place> {
	if (isRemote) return openRemotePlace();
	const state = stateFolder();
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
	const ask = (key: string, init: RequestInit) =>
		fetchWithin(
			`${account}/r2/buckets/${encodeURIComponent(bucket)}/objects/${key}`,
			{ ...init, headers: { ...own, ...init.headers } },
			60_000,
		);
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
