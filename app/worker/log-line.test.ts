import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { clientFingerprint } from "./log-line.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const MORNING = Date.UTC(2026, 10, 21, 0, 0, 0);
const NIGHT = Date.UTC(2026, 10, 21, 23, 59, 59, 999);

it("the fingerprint distinguishes the day's requests of one IP address from others, and nothing more", async () => {
	const code = await clientFingerprint("203.0.113.7", SECRET, MORNING);
	expect(code).toMatch(/^[0-9a-f]{12}$/);
	expect(await clientFingerprint("203.0.113.7", SECRET, NIGHT)).toBe(code);
	const others = [
		await clientFingerprint("203.0.113.8", SECRET, MORNING),
		await clientFingerprint("203.0.113.7", SECRET, NIGHT + 1),
		await clientFingerprint("203.0.113.7", `${SECRET}x`, MORNING),
		createHash("sha256").update("203.0.113.7").digest("hex").slice(0, 12),
		createHash("sha256").update(`log 2026-11-21 203.0.113.7`).digest("hex").slice(0, 12),
	];
	expect(new Set([code, ...others]).size).toBe(others.length + 1);
});
