/** How much memory the Worker's own isolate uses, without the local D1 and R2 beside it. */
import { fetch } from "miniflare";

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
	const answers = new Map<number, (result: Usage) => void>();
	webSocket.addEventListener("message", ({ data }) => {
		const { id, result } = JSON.parse(String(data)) as { id?: number; result: Usage };
		if (id !== undefined) answers.get(id)?.(result);
	});
	webSocket.accept();
	let calls = 0;
	const call = async (method: string): Promise<Usage> => {
		let usage: Usage | undefined;
		answers.set(++calls, (result) => {
			usage = result;
		});
		webSocket.send(JSON.stringify({ id: calls, method }));
		while (!usage) await request();
		return usage;
	};
	await call("HeapProfiler.collectGarbage");
	const {
		usedSize,
		embedderHeapUsedSize = 0,
		backingStorageSize = 0,
	} = await call("Runtime.getHeapUsage");
	webSocket.close();
	return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1_000_000;
}
