/**
 * Splits SQL as carelessly as any server in reports about Cloudflare: it knows quotes but no
 * comments, `BEGIN` only in capitals and on the same line as the rest of its trigger, and takes the
 * first `END` for the trigger's.
 */

const TOKENS = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\bBEGIN\b|\bEND\b|;|\n|[^'"`;\n]/g;

/** The pieces that it would run, without blank ones. */
export function splitCautiously(sql: string): string[] {
	const pieces = [""];
	let isInside = false;
	for (const [token] of sql.matchAll(TOKENS)) {
		if (token === "BEGIN") isInside = true;
		else if (token === "END" || token === "\n") isInside = false;
		if (token === ";" && !isInside) pieces.push("");
		else pieces.push(`${pieces.pop()}${token}`);
	}
	return pieces.map((piece) => piece.trim()).filter(Boolean);
}
