/**
 * Adds V8 flags to a workerd configuration: `node v8-flags.mjs --max-heap-size=128 < before >
 * after`. It is plain JavaScript because it runs as a separate program between Miniflare and
 * workerd.
 */
import { argv, stdin, stdout } from "node:process";
import { buffer } from "node:stream/consumers";
import { Message, ObjectSize, Struct, TextList, utils } from "capnp-es";

/**
 * The part of workerd.capnp's `Config` that is needed here: `v8Flags @2 :List(Text)`, its third
 * pointer.
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
