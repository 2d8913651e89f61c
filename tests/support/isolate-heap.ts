/** How much memory the Worker's own isolate uses, without the local D1 and R2 beside it. */
import { fetch } from "miniflare";

/** How long the inspector may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;

type Usage = { usedSize: number; embedderHeapUsedSize?: number; backingStorageSize?: number };

/**
 * Collects the garbage of the Worker named `milepost` and returns what is left, in megabytes:
 * objects, and the memory of buffers.
 * @param port of workerd's inspector
 * @param request runs a request, since an idle isolate answers no inspector
 */
export async function readHeap(port: number, request: () => Promise<unknown>): Promise<number> {
	const { webSocket } = await fetch(`http://127.0.0.1:${port}/core:user:milepost`, {
		headers: { Upgrade: "websocket", "User-Agent": "Milepost" },
	});
	if (!webSocket) throw new Error("workerd's inspector didn't answer");
	const answers = new Map<number, Usage>();
	webSocket.addEventListener("message", ({ data }) => {
		const { id, result } = JSON.parse(String(data)) as { id?: number; result?: Usage };
		if (id !== undefined && result) answers.set(id, result);
	});
	webSocket.accept();
	const end = performance.now() + PATIENCE_MS;
	const call = async (id: number, method: string): Promise<Usage> => {
		webSocket.send(JSON.stringify({ id, method }));
		while (performance.now() < end) {
			await request();
			const usage = answers.get(id);
			if (usage) return usage;
		}
		throw new Error(`workerd's inspector didn't answer ${method}`);
	};
	await call(1, "HeapProfiler.collectGarbage");
	const usage = await call(2, "Runtime.getHeapUsage");
	webSocket.close();
	const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = usage;
	return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1_000_000;
}
