import { describe, expect, it, vi } from "vitest";
import { countBytes } from "./count-bytes.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
function streamOf(texts: readonly string[], fault?: Error): ReadableStream<Uint8Array> {
	const left = [...texts];
	return new ReadableStream({
		pull(controller) {
			const text = left.shift();
			if (text !== undefined) controller.enqueue(bytesOf(text));
			else if (fault) controller.error(fault);
			else controller.close();
		},
	});
}

describe("countBytes", () => {
	it("passes everything on and reports the size once", async () => {
		vi.useFakeTimers();
		const onEnd = vi.fn();
		const body = countBytes(streamOf(["first ", "", "zwölf"]), onEnd, 20);
		expect(await new Response(body).text()).toBe("first zwölf");
		await vi.advanceTimersByTimeAsync(60);
		vi.useRealTimers();
		expect(onEnd.mock.calls).toEqual([[12, "sent", undefined]]);
	});

	it("reports a cancelled reader, and stops reading", async () => {
		const onEnd = vi.fn();
		const onCancel = vi.fn();
		const source = new ReadableStream<Uint8Array>({
			pull: (controller) => controller.enqueue(bytesOf("x".repeat(1000))),
			cancel: onCancel,
		});
		const reader = countBytes(source, onEnd).getReader();
		await reader.read();
		await reader.cancel("enough");
		expect(onEnd).toHaveBeenCalledOnce();
		expect(onEnd.mock.calls[0]?.[1]).toBe("cancelled");
		expect(onCancel).toHaveBeenCalledWith("enough");
	});

	it("passes an error on, after what came before it", async () => {
		const onEnd = vi.fn();
		const fault = new Error("the database is gone");
		const reader = countBytes(streamOf(["half"], fault), onEnd).getReader();
		expect((await reader.read()).value).toEqual(bytesOf("half"));
		await expect(reader.read()).rejects.toThrow("the database is gone");
		expect(onEnd.mock.calls).toEqual([[4, "failed", fault]]);
	});

	it("notices a reader that has silently vanished", async () => {
		const onEnd = vi.fn();
		const reader = countBytes(streamOf(["a", "b", "c"]), onEnd, 20).getReader();
		await reader.read();
		await vi.waitFor(() => expect(onEnd).toHaveBeenCalled());
		expect(onEnd.mock.calls[0]?.[1]).toBe("stalled");
		// It was only slow: the rest arrives, and there is no second call.
		while (!(await reader.read()).done);
		expect(onEnd).toHaveBeenCalledOnce();
	});
});
