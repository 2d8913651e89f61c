import { describe, expect, it } from "vitest";
import { checkWebhookUrl } from "./url.ts";

describe("a webhook's URL", () => {
	it.each([
		["https://example.com/milepost", "https://example.com/milepost"],
		["https://hooks.example.com:443/a?b=c", "https://hooks.example.com/a?b=c"],
		["HTTPS://Example.COM", "https://example.com/"],
		["https://example.com/a#part", "https://example.com/a"],
		["https://example.com./a", "https://example.com./a"],
		["https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
		["https://bücher.example/", "https://xn--bcher-kva.example/"],
		["https://localhost.example.com/", "https://localhost.example.com/"],
		["https://notlocalhost.com/", "https://notlocalhost.com/"],
		["https://internal.example.com/", "https://internal.example.com/"],
	])("accepts %s", (text, url) => {
		expect(checkWebhookUrl(text)).toEqual({ ok: true, url });
	});

	it.each([
		["http://example.com/", "https"],
		["ftp://example.com/", "https"],
		["example.com/milepost", "full URL"],
		["", "full URL"],
		["https://", "full URL"],
		["https://user@example.com/", "password"],
		[`https://user:${"secret"}@example.com/`, "password"],
		[`https://:${"secret"}@example.com/`, "password"],
		["https://example.com:8443/", "port"],
		["https://example.com:80/", "port"],
		["https://127.0.0.1/", "an IP"],
		["https://10.0.0.1/", "an IP"],
		["https://169.254.169.254/latest/meta-data", "an IP"],
		["https://8.8.8.8/", "an IP"],
		["https://8.8.8.8./", "an IP"],
		["https://2130706433/", "an IP"],
		["https://0x7f.1/", "an IP"],
		["https://0177.0.0.1/", "an IP"],
		["https://127.1/", "an IP"],
		["https://①②⑦.0.0.1/", "an IP"],
		["https://[::1]/", "an IP"],
		["https://[::ffff:10.0.0.1]/", "an IP"],
		["https://localhost/", "name"],
		["https://LOCALHOST./", "name"],
		["https://intranet/", "name"],
		["https://printer.local/", "name"],
		["https://printer.LOCAL./", "name"],
		["https://db.internal/", "name"],
		["https://metadata.google.internal/", "name"],
		["https://app.localhost/", "name"],
		["https://app.localhost../", ""],
	])("refuses %s", (text, reason) => {
		const checked = checkWebhookUrl(text);
		expect(checked).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
	});
});
