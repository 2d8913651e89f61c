/**
 * The files of a backup. They are hashed as they are written, so that a flipped byte is found
 * before anything is restored, and encrypted if there is a passphrase.
 */
import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createHmac,
	type DecipherGCM,
	randomBytes,
	scryptSync,
	timingSafeEqual,
} from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A file of a backup: its path in the folder, its size and the SHA-256 of the bytes on disk. */
export type StoredFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

/** Something is wrong with a backup. The message is one line. */
export class BackupError extends Error {}

/** The error to throw for a file that can't be read. @param words what to say if it doesn't exist */
export function unreadable(error: unknown, words: string): unknown {
	const { code } = error as NodeJS.ErrnoException;
	return code === "ENOENT" || code === "ENOTDIR" ? new BackupError(words) : error;
}

const CIPHER = "aes-256-gcm";
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key derived from a passphrase; the salt is in the manifest. */
export type Key = { readonly salt: string; readonly bytes: Buffer };

export function deriveKey(
	passphrase: string,
	salt = randomBytes(SALT_BYTES).toString("base64"),
): Key {
	const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
	return {
		salt,
		bytes: scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), 32, cost),
	};
}

/** Proves that a passphrase is the right one, without revealing the key. */
export const keyProof = (key: Key): string =>
	createHmac("sha256", key.bytes).update("milepost backup").digest("base64");

/** Writes a file of a backup. An encrypted one is its nonce, the ciphertext and the tag. */
export async function writeBackupFile(
	folder: string,
	path: string,
	source: AsyncIterable<string> | Iterable<Uint8Array>,
	key: Key | undefined,
): Promise<StoredFile> {
	const hash = createHash("sha256");
	let bytes = 0;
	const watch = new Transform({
		transform(chunk: Buffer, _, done) {
			bytes += chunk.length;
			hash.update(chunk);
			done(null, chunk);
		},
	});
	const target = join(folder, path);
	await mkdir(dirname(target), { recursive: true });
	await pipeline(
		Readable.from(source),
		key ? encrypt(key, path) : new PassThrough(),
		watch,
		createWriteStream(target, { mode: 0o600 }),
	);
	return { path, bytes, sha256: hash.digest("hex") };
}

function encrypt(key: Key, path: string): Transform {
	const nonce = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
	// Binds the name, so that swapped files are detected.
	cipher.setAAD(Buffer.from(path));
	let isFirst = true;
	return new Transform({
		transform(chunk: Buffer, _, done) {
			if (isFirst) this.push(nonce);
			isFirst = false;
			done(null, cipher.update(chunk));
		},
		flush(done) {
			if (isFirst) this.push(nonce);
			this.push(cipher.final());
			done(null, cipher.getAuthTag());
		},
	});
}

/**
 * Checks that a file is the one that was written.
 * @throws BackupError
 */
export async function verifyBackupFile(folder: string, file: StoredFile): Promise<void> {
	const hash = createHash("sha256");
	try {
		for await (const chunk of createReadStream(join(folder, file.path))) hash.update(chunk);
	} catch (error) {
		throw unreadable(error, `${file.path} is missing from the backup.`);
	}
	if (!timingSafeEqual(hash.digest(), Buffer.from(file.sha256, "hex")))
		throw new BackupError(`${file.path} is damaged: it isn't what was backed up.`);
}

/** A file's contents, decrypted. */
export function readBackupFile(
	folder: string,
	{ path, bytes }: StoredFile,
	key: Key | undefined,
): Readable {
	const source = createReadStream(join(folder, path));
	if (!key) return source;
	const output = new PassThrough();
	void pipeline(source, decrypt(key, path, bytes), output).catch((error) => output.destroy(error));
	return output;
}

function decrypt(key: Key, path: string, length: number): Transform {
	let nonce = Buffer.alloc(0);
	let seen = 0;
	let tag = Buffer.alloc(0);
	let decipher: DecipherGCM | undefined;
	return new Transform({
		transform(chunk: Buffer, _, done) {
			let rest = chunk;
			if (nonce.length < IV_BYTES) {
				const part = rest.subarray(0, IV_BYTES - nonce.length);
				nonce = Buffer.concat([nonce, part]);
				rest = rest.subarray(part.length);
				seen += part.length;
				if (nonce.length < IV_BYTES) return done();
			}
			if (!decipher) {
				decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
				decipher.setAAD(Buffer.from(path));
			}
			const text = rest.subarray(0, Math.max(0, length - TAG_BYTES - seen));
			tag = Buffer.concat([tag, rest.subarray(text.length)]);
			seen += rest.length;
			done(null, decipher.update(text));
		},
		flush(done) {
			try {
				decipher?.setAuthTag(tag);
				done(null, decipher?.final());
			} catch {
				done(new BackupError(`${path} can't be decrypted.`));
			}
		},
	});
}

/** A file's lines. Only a line feed ends one; text may contain any other separator. */
export async function* linesOfBackupFile(
	folder: string,
	file: StoredFile,
	key: Key | undefined,
): AsyncGenerator<string> {
	const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
	let rest = "";
	for await (const chunk of readBackupFile(folder, file, key)) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
	if (rest !== "") yield rest;
}
