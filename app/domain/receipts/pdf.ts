/**
 * Whether a PDF opens: it has an end, needs no password, and has a page. It is stored as it is, and
 * never run or drawn here. What can't be judged within bounds is accepted, as a reader may show it
 * (docs/decisions/0084).
 */
import { hasTag } from "./bytes.ts";
import {
	Allowance,
	type PdfDict,
	PdfName,
	type PdfValue,
	TooMuchWorkError,
} from "./pdf-objects.ts";
import { opensWithoutPassword } from "./pdf-password.ts";
import { UnknownFilterError } from "./pdf-streams.ts";
import { PdfStructure } from "./pdf-structure.ts";
import type { RefusalCode } from "./refusals.ts";

/**
 * How far before the end the trailer may be, in bytes: readers look 1 KB back, and scanners append
 * more than that.
 */
const TRAILER_BYTES = 2048;

type Problem = Extract<RefusalCode, "brokenPdf" | "protectedPdf" | "lockedPdf" | "emptyPdf">;

/** Why a PDF can't be a receipt; undefined if it can. */
export function pdfProblem(bytes: Uint8Array): Problem | undefined {
	if (!hasPdfEnd(bytes)) return "brokenPdf";
	try {
		return structureProblem(new PdfStructure(bytes, new Allowance()));
	} catch (error) {
		if (error instanceof TooMuchWorkError || error instanceof UnknownFilterError) return undefined;
		throw error;
	}
}

function structureProblem(file: PdfStructure): Problem | undefined {
	const { isRecovered } = file;
	const encryption = encryptionOf(file);
	// The pages of an encrypted file can be in streams that are encrypted too: it isn't read further.
	if (encryption) return encryptionProblem(file, encryption);
	const problem = pagesProblem(file);
	if (!problem || isRecovered) return problem;
	file.recover();
	return structureProblem(file);
}

/** The root of a file's objects: by a trailer, else by its type. */
function rootOf(file: PdfStructure): PdfDict | undefined {
	for (const trailer of file.trailers) {
		const root = file.dict(trailer.get("Root"));
		if (root?.has("Pages")) return root;
	}
	if (!file.isRecovered) return undefined;
	for (const value of file.everything()) {
		const dict = file.dict(value);
		if (dict && isOfType(file, dict, "Catalog")) return dict;
	}
	return undefined;
}

const isOfType = (file: PdfStructure, dict: PdfDict, type: string) => {
	const stated = file.resolve(dict.get("Type"));
	return stated instanceof PdfName && stated.text === type;
};

const encryptionOf = (file: PdfStructure): PdfDict | undefined =>
	file.trailers.map((trailer) => file.dict(trailer.get("Encrypt"))).find(Boolean);

function encryptionProblem(file: PdfStructure, encryption: PdfDict): Problem | undefined {
	const handler = file.resolve(encryption.get("Filter"));
	if (handler instanceof PdfName && handler.text !== "Standard") return "lockedPdf";
	const ids = file.resolve(file.trailers.find((trailer) => trailer.has("ID"))?.get("ID"));
	const id = file.resolve(Array.isArray(ids) ? ids[0] : undefined);
	// If neither streams nor texts are encrypted, only attachments are.
	const filters = ["StmF", "StrF"].map((key) => file.resolve(encryption.get(key)));
	const version = file.resolve(encryption.get("V"));
	if (typeof version === "number" && version >= 4 && filters.every(isIdentity)) return undefined;
	const opens = opensWithoutPassword(
		(key) => file.resolve(encryption.get(key)),
		id instanceof Uint8Array ? id : new Uint8Array(),
	);
	return opens === false ? "protectedPdf" : undefined;
}

const isIdentity = (filter: PdfValue) =>
	filter === null || (filter instanceof PdfName && filter.text === "Identity");

function pagesProblem(file: PdfStructure): Problem | undefined {
	const root = rootOf(file);
	const pages = file.dict(root?.get("Pages"));
	if (pages && hasPage(file, pages, new Set())) return undefined;
	const kids = file.resolve(pages?.get("Kids"));
	if (Array.isArray(kids) && kids.length === 0) return "emptyPdf";
	// Some readers find the pages of a damaged tree.
	if (root && file.isRecovered)
		for (const value of file.everything()) {
			const dict = file.dict(value);
			if (dict && isOfType(file, dict, "Page")) return undefined;
		}
	return "brokenPdf";
}

/** Whether a page is below this node of the tree; a page has no children. */
function hasPage(file: PdfStructure, node: PdfDict, seen: Set<PdfDict>): boolean {
	if (seen.has(node) || seen.size > 1000) return false;
	seen.add(node);
	const kids = file.resolve(node.get("Kids"));
	if (!Array.isArray(kids)) return isOfType(file, node, "Page") || !isOfType(file, node, "Pages");
	return kids.some((kid) => {
		const child = file.dict(kid);
		return child !== undefined && hasPage(file, child, seen);
	});
}

/**
 * Whether a PDF has an end. `%%EOF` is missing from some scanners' files, which end with
 * `startxref`; spaces and zeros that a transfer appended are ignored.
 */
function hasPdfEnd(bytes: Uint8Array): boolean {
	let end = bytes.length;
	while (end > 0 && isFiller(bytes[end - 1] ?? 0)) end--;
	for (let at = end - 1; at >= Math.max(0, end - TRAILER_BYTES); at--) {
		if (hasTag(bytes, at, "%%EOF") || hasTag(bytes, at, "startxref")) return true;
	}
	return false;
}

function isFiller(byte: number): boolean {
	return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1a;
}
