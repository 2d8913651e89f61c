/**
 * A heap for each isolate of a local workerd that is no larger than Cloudflare's. V8 is told by workerd's configuration, where Miniflare
 * has no option for it: so the flag is written into the configuration on its way.
 */
import childProcess, { type ChildProcess } from "node:child_process";
import type { Miniflare } from "miniflare";

const WORD = 8;
/** The place of `v8Flags` among the pointers of `Config` in workerd.capnp. */
const V8_FLAGS = 2;

/** The size of a list in a Cap'n Proto pointer, and how far behind the pointer it starts, in words. */
function listPointer(into: Buffer, at: number, offset: number, elementSize: number, count: number): void {
	into.writeInt32LE((offset << 2) | 1, at);
	into.writeUInt32LE(((count << 3) | elementSize) >>> 0, at + 4);
}

/** A segment that holds a list with one text. */
function textList(text: string): Buffer {
	const bytes = Buffer.from(`${text}\0`);
	const segment = Buffer.alloc(2 * WORD + Math.ceil(bytes.length / WORD) * WORD);
	listPointer(segment, 0, 0, 6, 1);
	listPointer(segment, WORD, 0, 2, bytes.length);
	bytes.copy(segment, 2 * WORD);
	return segment;
}

/** The same configuration with a flag for V8 in it: in a segment of its own, which the root's empty pointer is made to name. */
export function withFlag(config: Buffer, flag: string): Buffer {
	const count = config.readUInt32LE(0) + 1;
	const sizes = Array.from({ length: count }, (_, number) => config.readUInt32LE(4 + 4 * number));
	const body = Buffer.from(config.subarray(Math.ceil((4 + 4 * count) / WORD) * WORD));
	const root = body.readInt32LE(0);
	const slot = WORD * (1 + (root >> 2) + body.readUInt16LE(4) + V8_FLAGS);
	if ((root & 3) !== 0 || body.readUInt16LE(6) <= V8_FLAGS || body.readBigUInt64LE(slot) !== 0n)
		throw new Error("this is no configuration of workerd without flags");
	body.writeUInt32LE(2, slot);
	body.writeUInt32LE(count, slot + 4);
	const added = textList(flag);
	const header = Buffer.alloc(Math.ceil((8 + 4 * count) / WORD) * WORD);
	for (const [position, number] of [count, ...sizes, added.length / WORD].entries()) header.writeUInt32LE(number, 4 * position);
	return Buffer.concat([header, body, added]);
}

/**
 * Starts a Miniflare whose isolates have heaps of at most so many megabytes: past it V8 ends the process, as Cloudflare would the isolate.
 * @param start makes the Miniflare
 */
export async function withHeapLimit(megabytes: number, start: () => Miniflare): Promise<Miniflare> {
	const { spawn } = childProcess;
	const limited = (...how: Parameters<typeof spawn>): ChildProcess => {
		const child = spawn(...how);
		const { stdin } = child;
		if (stdin) {
			const write = stdin.write.bind(stdin) as (config: Buffer) => boolean;
			stdin.write = (config: Buffer) => write(withFlag(Buffer.from(config), `--max-heap-size=${megabytes}`));
		}
		return child;
	};
	childProcess.spawn = limited as typeof spawn;
	try {
		const worker = start();
		await worker.ready;
		return worker;
	} finally {
		childProcess.spawn = spawn;
	}
}
