/** What Resend's answers to a call with several messages mean, from a scripted server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { MailFault } from "../domain/mail/rules.ts";
import { createTransport } from "./mail-transport.ts";

let answer: object = {};
const provider = createServer((request, response) => {
	request.resume().once("end", () => response.end(JSON.stringify(answer)));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => provider.once("listening", resolve));
afterAll(() => provider.close());

const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/emails`;
const { sendTogether } = createTransport(
	{ provider: "resend", from: "fleet@milepost.test", key: "secret", url },
	"https://fleet.example",
);
const MESSAGES = ["a", "b", "c"].map((key) => ({
	...{ to: `${key}@milepost.test`, subject: "s", text: "t", key },
}));
const told = async (said: object) => {
	answer = said;
	return (await sendTogether?.(MESSAGES, "call"))?.map((each) =>
		each instanceof MailFault ? each.kind : each,
	);
};
const taken = (...ids: readonly string[]) => ids.map((id) => ({ id }));
const refused = (index: number, message: string) => ({ index, message });

describe("a call with several messages", () => {
	it("says of each what became of it", async () => {
		expect(await told({ data: taken("1", "2", "3") })).toEqual(["1", "2", "3"]);
		expect(
			await told({
				data: taken("2"),
				errors: [refused(2, "Too long"), refused(0, "Invalid `to` field.")],
			}),
		).toEqual(["address", "2", "refused"]);
	});

	it("is no fault of a message that is refused because of the sender", async () => {
		expect(
			await told({ data: taken("1", "3"), errors: [refused(1, "Invalid `from` field.")] }),
		).toEqual(["1", "later", "3"]);
	});

	it.each([
		["one too few", { data: taken("1", "2") }],
		["one refused twice", { data: taken("1"), errors: [refused(2, "x"), refused(2, "x")] }],
		["one refused that wasn't sent", { data: taken("1", "2"), errors: [refused(3, "x")] }],
		["something else", { ok: true }],
	])("leaves open what became of them where it names %s", async (_, said) => {
		await expect(told(said)).rejects.not.toBeInstanceOf(MailFault);
	});
});
