import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSigned } from "./signature.ts";

const NOW = 1_795_000_000_000;
const BODY = '{"type":"email.bounced"}';
const KEY = Buffer.alloc(24, 7);
const SECRET = `whsec_${KEY.toString("base64")}`;

/** A webhook signed with a key at a moment. */
function call(key: Buffer, at = NOW): Headers {
	const timestamp = String(Math.floor(at / 1000));
	const signature = createHmac("sha256", key).update(`msg_1.${timestamp}.${BODY}`).digest("base64");
	return new Headers({
		"svix-id": "msg_1",
		"svix-timestamp": timestamp,
		"svix-signature": `v1,AAAA v1,${signature}`,
	});
}

describe("a webhook", () => {
	it("is accepted with our secret, within five minutes", () => {
		expect(isSigned(call(KEY), BODY, SECRET, NOW)).toBe(true);
		expect(isSigned(call(KEY, NOW - 4 * 60_000), BODY, SECRET, NOW)).toBe(true);
	});

	it.each([
		["another key", call(Buffer.alloc(24, 8)), BODY, SECRET],
		["another body", call(KEY), `${BODY} `, SECRET],
		["an old call", call(KEY, NOW - 6 * 60_000), BODY, SECRET],
		["a call from the future", call(KEY, NOW + 6 * 60_000), BODY, SECRET],
		["no signature", new Headers(), BODY, SECRET],
		["a secret that is empty", call(Buffer.alloc(0)), BODY, "whsec_"],
		["a secret that is no base64", call(Buffer.alloc(0)), BODY, "whsec_***"],
		["a secret that is too short", call(Buffer.from("short")), BODY, `whsec_${btoa("short")}`],
	])("is refused: %s", (_, headers, body, secret) => {
		expect(isSigned(headers, body, secret, NOW)).toBe(false);
	});
});
