/**
 * Adds flags for V8 to a configuration of workerd: `node v8-flags.mjs --max-heap-size=128 < before
 * > after`. Plain JavaScript, because it runs as a program of its own between Miniflare and
 * workerd.
 */
import { argv, stdin, stdout } from "node:process";
import { buffer } from "node:stream/consumers";
import { Message, ObjectSize, Struct, TextList, utils } from "capnp-es";

/**
 * `Config` of workerd.capnp as far as it is needed here: `v8Flags @2 :List(Text)`, the third of its
 * pointers.
 */
class Config extends Struct {
	static _capnp = { displayName: "Config", id: "8794486c76aaa7d6", size: new ObjectSize(8, 6) };

	/** @returns {TextList} */
	get v8Flags() {
		return utils.getList(2, TextList, this);
	}

	/** @param {number} length @returns {TextList} */
	initV8Flags(length) {
		return utils.initList(2, TextList, length, this);
	}
}

const message = new Message(await buffer(stdin), false);
const config = message.getRoot(Config);
const flags = [...config.v8Flags, ...argv.slice(2)];
const list = config.initV8Flags(flags.length);
for (const [position, flag] of flags.entries()) list.set(position, flag);
stdout.write(Buffer.from(message.toArrayBuffer()));
