/** A real file store for the domain tests. */
import { Miniflare } from "miniflare";
import { afterAll } from "vitest";

/** Opens a separate store for the tests in one file. */
export async function openFileStore(): Promise<R2Bucket> {
	const worker = new Miniflare({
		modules: true,
		script: "export default { fetch: () => new Response(null, { status: 404 }) };",
		r2Buckets: ["STORE"],
	});
	afterAll(() => worker.dispose());
	return (await worker.getR2Bucket("STORE")) as unknown as R2Bucket;
}
