/**
 * Whether an encrypted PDF opens without a password (ISO 32000-2, 7.6): one that only restricts
 * printing or changes does.
 */
import { cbc } from "@noble/ciphers/aes";
import { md5 } from "@noble/hashes/legacy";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2";
import type { PdfValue } from "./pdf-objects.ts";

/** What an empty password is padded with. */
const PADDING = Uint8Array.from([
	0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
	0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
]);

const KNOWN_REVISIONS: readonly number[] = [2, 3, 4, 5, 6];

/**
 * Whether the empty password is right; undefined for an unknown method. Without the entries that
 * every known method needs, nothing opens the file.
 * @param entry a value of the file's encryption dictionary
 * @param fileId the first half of the file's identifier
 */
export function opensWithoutPassword(
	entry: (key: string) => PdfValue,
	fileId: Uint8Array,
): boolean | undefined {
	const [revision, user, owner, permissions] = ["R", "U", "O", "P"].map(entry);
	if (typeof revision === "number" && !KNOWN_REVISIONS.includes(revision)) return undefined;
	if (!(user instanceof Uint8Array && owner instanceof Uint8Array)) return false;
	if (revision === 5 || revision === 6) {
		if (user.length < 48) return false;
		const salt = user.subarray(32, 40);
		return isSame(revision === 5 ? sha256(salt) : hash(salt), user.subarray(0, 32));
	}
	if (typeof revision !== "number" || typeof permissions !== "number") return undefined;
	if (owner.length < 32 || user.length < 16) return false;
	const parts = [PADDING, owner.subarray(0, 32), littleEndian(permissions), fileId];
	if (revision === 4 && entry("EncryptMetadata") === false)
		parts.push(Uint8Array.of(0xff, 0xff, 0xff, 0xff));
	const start = md5(joined(parts));
	if (revision === 2) return isSame(rc4(start.subarray(0, 5), PADDING), user.subarray(0, 32));
	const expected = md5(joined([PADDING, fileId]));
	// Some files state the length in bytes, some a wrong one: any that fits opens the file.
	const stated = entry("Length");
	const lengths = [typeof stated === "number" ? stated / (stated >= 40 ? 8 : 1) : 16, 16, 5];
	return lengths.some((length) => {
		if (!Number.isInteger(length) || length < 5 || length > 16) return false;
		let key = start;
		for (let round = 0; round < 50; round++) key = md5(key.subarray(0, length));
		let found = expected;
		for (let round = 0; round < 20; round++)
			found = rc4(
				key.subarray(0, length).map((byte) => byte ^ round),
				found,
			);
		return isSame(found, user.subarray(0, 16));
	});
}

/** The hash of the newest method, of an empty password. */
function hash(salt: Uint8Array): Uint8Array {
	let key = sha256(salt);
	for (let round = 0; ; round++) {
		const repeated = new Uint8Array(key.length * 64);
		for (let at = 0; at < repeated.length; at += key.length) repeated.set(key, at);
		const encrypted = cbc(key.subarray(0, 16), key.subarray(16, 32), {
			disablePadding: true,
		}).encrypt(repeated);
		const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
		key = ([sha256, sha384, sha512][sum % 3] ?? sha256)(encrypted);
		if (round >= 63 && (encrypted.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
	}
}

/** The older methods' cipher, which browsers and Workers no longer have. */
function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
	const state = Uint8Array.from({ length: 256 }, (_, at) => at);
	const swap = (one: number, other: number) => {
		[state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
	};
	for (let at = 0, other = 0; at < 256; at++) {
		other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 0xff;
		swap(at, other);
	}
	let [one, other] = [0, 0];
	return data.map((byte) => {
		one = (one + 1) & 0xff;
		other = (other + (state[one] ?? 0)) & 0xff;
		swap(one, other);
		return byte ^ (state[((state[one] ?? 0) + (state[other] ?? 0)) & 0xff] ?? 0);
	});
}

const littleEndian = (number: number) =>
	Uint8Array.of(number, number >> 8, number >> 16, number >> 24);

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
	one.length === other.length && one.every((byte, at) => byte === other[at]);
