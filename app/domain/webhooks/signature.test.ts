import { describe, expect, it } from "vitest";
import { isSigned } from "../mail/signature.ts";
import { newSecret, sign, signedHeaders } from "./signature.ts";

describe("a signature", () => {
	it("is the one that the Standard Webhooks libraries test with", async () => {
		const signed = {
			id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
			timestamp: 1_614_265_330,
			body: '{"test": 2432232314}',
		};
		expect(await sign(`whsec_${"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`, signed)).toBe(
			"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		);
	});

	it("is one for each secret while both are valid, and each verifies by itself", async () => {
		const secrets = [newSecret(), newSecret()];
		const message = { id: "a", timestamp: 1_700_000_000, body: '{"type":"payout.paid"}' };
		const headers = await signedHeaders(secrets, message);
		expect(headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
		expect([headers["webhook-id"], headers["webhook-timestamp"]]).toEqual(["a", "1700000000"]);
		// Our own check of Svix's headers, which are the same convention by their older names.
		const asSvix = new Headers(
			Object.entries(headers).map(([name, value]): [string, string] => [
				name.replace("webhook", "svix"),
				value,
			]),
		);
		for (const secret of secrets)
			expect(isSigned(asSvix, message.body, secret, 1_700_000_000_000)).toBe(true);
		expect(isSigned(asSvix, message.body, newSecret(), 1_700_000_000_000)).toBe(false);
		expect(isSigned(asSvix, `${message.body} `, secrets[0] ?? "", 1_700_000_000_000)).toBe(false);
	});

	it("has a secret of 32 random bytes", () => {
		const secret = newSecret();
		expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
		expect(newSecret()).not.toBe(secret);
	});
});
