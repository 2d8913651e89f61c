/** What a token looks like, what it may do, and how long it lasts. */
import type { TOKEN_SCOPES } from "../../db/schema.ts";

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** What each scope allows, in the order of the form. */
export const SCOPE_LABELS: Readonly<Record<TokenScope, string>> = {
	read: "Read",
	import: "Read and import statements",
	write: "Read and change records",
};

export const DEFAULT_DAYS = 90;
export const MAX_DAYS = 366;
export const MAX_NAME_LENGTH = 80;
/** Tokens of the whole fleet that can be used at once. */
export const MAX_LIVE = 100;
/** Revoked and expired tokens that are listed. */
export const MAX_ENDED = 50;

const DAY_MS = 86_400_000;
/** When a token made now stops working, in UTC milliseconds. */
export const expiryOf = (now: number, days: number) => now + days * DAY_MS;
/** How long before that its owner is told, in milliseconds. */
export const WARNING_MS = 7 * DAY_MS;

const SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "mlp_";
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(
	`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** CRC-32, as in ZIP files: it finds typos and isn't a secret. */
function crc32(text: string): number {
	let crc = 0xffffffff;
	for (const letter of text) {
		crc ^= letter.charCodeAt(0);
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

/** The last letters of a token, by which a program recognizes one without asking. */
function checksumOf(secret: string): string {
	let left = crc32(secret);
	let text = "";
	for (let place = 0; place < CHECKSUM_LENGTH; place++) {
		text = `${SYMBOLS[left % SYMBOLS.length]}${text}`;
		left = Math.floor(left / SYMBOLS.length);
	}
	return text;
}

/**
 * A new token: `mlp_`, 30 letters and digits, and 6 of their checksum.
 * @param randomBytes fills an array with random bytes
 */
export function newToken(
	randomBytes: (into: Uint8Array<ArrayBuffer>) => Uint8Array = (into) =>
		crypto.getRandomValues(into),
): string {
	let secret = "";
	while (secret.length < SECRET_LENGTH)
		// With all 256 values, the first symbols would be likelier than the others.
		for (const byte of randomBytes(new Uint8Array(SECRET_LENGTH)))
			if (byte < SYMBOLS.length * 4 && secret.length < SECRET_LENGTH)
				secret += SYMBOLS[byte % SYMBOLS.length];
	return `${PREFIX}${secret}${checksumOf(secret)}`;
}

/** Whether a text can be a token of ours. */
export function isToken(text: string): boolean {
	const [, secret, checksum] = SHAPE.exec(text) ?? [];
	return secret !== undefined && checksumOf(secret) === checksum;
}

/** Whether a token still works, as far as its own row says. */
export const isLive = (
	{ expiresAt, revokedAt }: { readonly expiresAt: number; readonly revokedAt: number | null },
	now: number,
): boolean => revokedAt === null && expiresAt > now;
