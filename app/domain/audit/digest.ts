/**
 * What a seal covers: every entry's facts, and salted digests of its texts, so that a text can be
 * replaced by its digest without breaking the seal.
 */
import { sha256 } from "@oslojs/crypto/sha2";
import { encodeHexLowerCase } from "@oslojs/encoding";

/** An entry as it is sealed. */
export type SealedEntry = {
	readonly id: number;
	readonly at: number;
	readonly actorId: string | null;
	readonly actorRole: string;
	readonly sessionRef: string | null;
	readonly requestId: string | null;
	readonly action: string;
	readonly entity: string;
	readonly entityId: string;
	readonly before: string | null;
	readonly after: string | null;
	readonly reason: string | null;
	/** Absent once one of its texts was erased. */
	readonly salt?: string | null;
};

const TEXTS = ["before", "after", "reason"] as const;
export type SealedText = (typeof TEXTS)[number];

const encoder = new TextEncoder();
const hashOf = (text: string) => encodeHexLowerCase(sha256(encoder.encode(text)));

/** An erased text: its digest, as JSON. */
const ERASED = /^\{"erased":"([0-9a-f]{64})"\}$/;

/** Whether a text of an entry has been erased. */
export const isErased = (text: string | null): boolean => text !== null && ERASED.test(text);

/** What replaces an erased text. */
export const erasedText = (entry: SealedEntry, name: SealedText): string | null => {
	const digest = textDigest(entry, name);
	return digest && JSON.stringify({ erased: digest });
};

function textDigest(entry: SealedEntry, name: SealedText): string | null {
	const text = entry[name];
	if (text === null) return null;
	return ERASED.exec(text)?.[1] ?? hashOf(JSON.stringify([entry.salt ?? "", name, text]));
}

const entryDigest = (entry: SealedEntry) => {
	const { id, at, actorId, actorRole, sessionRef, requestId, action, entity, entityId } = entry;
	const facts = [id, at, actorId, actorRole, sessionRef, requestId, action, entity, entityId];
	return hashOf(JSON.stringify([...facts, ...TEXTS.map((name) => textDigest(entry, name))]));
};

/** The hash of a seal over these entries, following the seal with the hash `before`. */
export const chain = (before: string, entries: readonly SealedEntry[]): string =>
	hashOf(JSON.stringify([before, ...entries.map(entryDigest)]));
