/**
 * A real file store for the domain tests, by HTTP through a Worker that holds its bucket.
 * Miniflare's own proxy blocks the thread for every property read of an object.
 */
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterAll } from "vitest";
import { runtimeSettings } from "../../tools/wrangler-config.ts";
import { ask, type Listening } from "./direct.ts";

/** Runs the call that a header describes, on the bucket named by the path; the body is what is stored. */
export const FILE_STORE = `const described = (object) => object && {
	...Object.fromEntries(["key", "version", "size", "etag", "httpEtag", "uploaded", "httpMetadata",
		"customMetadata"].map((name) => [name, object[name]])),
};
export default {
	async fetch(request, env) {
		const bucket = env[new URL(request.url).pathname.slice(1)];
		const { call, given } = JSON.parse(decodeURIComponent(request.headers.get("X-Call")));
		const [key, second, ...rest] = given;
		const told = (about, body) => {
			const headers = { "X-About": encodeURIComponent(JSON.stringify(about ?? null)) };
			return new Response(body, { headers });
		};
		try {
			if (call === "get") {
				const object = await bucket.get(...given);
				return told(described(object), object?.body);
			}
			if (call === "head") return told(described(await bucket.head(key)));
			if (call === "put") return told(described(await bucket.put(key, await request.arrayBuffer(), second)));
			if (call === "list") {
				const { objects, ...page } = await bucket.list(key);
				return told(undefined, JSON.stringify({ ...page, objects: objects.map(described) }));
			}
			if (call === "delete") return told(await bucket.delete(key));
			if (call === "createMultipartUpload")
				return told({ uploadId: (await bucket.createMultipartUpload(...given)).uploadId });
			const upload = bucket.resumeMultipartUpload(key, second);
			if (call === "uploadPart") return told(await upload.uploadPart(...rest, await request.arrayBuffer()));
			if (call === "complete") return told(described(await upload.complete(...rest)));
			if (call === "abort") return told(await upload.abort());
			throw new Error(call + " isn't known here");
		} catch (error) {
			return new Response(error.message, { status: 500 });
		}
	},
};`;

type Content = Parameters<R2Bucket["put"]>[1];

/** The part of a bucket that the application and the tests use, at the URL of such a Worker. */
export function bucketAt(worker: Listening, url: string): R2Bucket {
	async function send(call: string, given: readonly unknown[], content?: Content) {
		const answer = await ask(worker, url, {
			method: "POST",
			headers: { "X-Call": encodeURIComponent(JSON.stringify({ call, given })) },
			body: new Uint8Array(await new Response(content as BodyInit).arrayBuffer()),
		});
		if (!answer.ok) throw new Error(await answer.text());
		const about = answer.headers.get("X-About");
		return { answer, about: about && JSON.parse(decodeURIComponent(about)) };
	}
	const dated = <Described extends { uploaded: string }>(object: Described | null) =>
		object && { ...object, uploaded: new Date(object.uploaded) };
	const upload = (key: string, uploadId: string) => ({
		key,
		uploadId,
		uploadPart: async (part: number, content: Content) =>
			(await send("uploadPart", [key, uploadId, part], content)).about,
		complete: async (parts: readonly R2UploadedPart[]) =>
			dated((await send("complete", [key, uploadId, parts])).about),
		abort: async () => void (await send("abort", [key, uploadId])),
	});
	return {
		async get(...given: unknown[]) {
			const { answer, about } = await send("get", given);
			if (!about) return null;
			const read = ["arrayBuffer", "text", "json", "blob"] as const;
			const reads = Object.fromEntries(read.map((each) => [each, answer[each].bind(answer)]));
			return { ...dated(about), body: answer.body, ...reads };
		},
		head: async (key: string) => dated((await send("head", [key])).about),
		put: async (key: string, content: Content, options?: R2PutOptions) =>
			dated((await send("put", [key, options], content)).about),
		async list(...given: unknown[]) {
			const { objects, ...page } = JSON.parse(await (await send("list", given)).answer.text());
			return { ...page, objects: objects.map(dated) };
		},
		delete: async (keys: string | string[]) => void (await send("delete", [keys])),
		createMultipartUpload: async (key: string, ...more: unknown[]) =>
			upload(key, (await send("createMultipartUpload", [key, ...more])).about.uploadId),
	} as unknown as R2Bucket;
}

/** Opens separate stores for the tests in one file. */
export async function openFileStores<Name extends string>(
	...names: readonly Name[]
): Promise<Readonly<Record<Name, R2Bucket>>> {
	const worker = new Miniflare({
		...runtimeSettings(),
		modules: [{ type: "ESModule", path: "store.mjs", contents: FILE_STORE }],
		r2Buckets: [...names],
	} as MiniflareOptions);
	afterAll(() => worker.dispose());
	const stores = names.map((name) => [name, bucketAt(worker, `http://store/${name}`)]);
	return Object.fromEntries(stores) as Record<Name, R2Bucket>;
}

export const openFileStore = async (): Promise<R2Bucket> => (await openFileStores("STORE")).STORE;
