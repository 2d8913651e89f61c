/**
 * Which URLs a webhook may have, so that nobody can use Milepost to reach anything but the open
 * internet.
 */

/** Names that are only known inside a network. */
const INSIDE = /(?:^|\.)localhost$|\.(?:local|internal)$/;
const IPV4 = /^[\d.]+$/;

export type UrlCheck =
	| { readonly ok: true; readonly url: string }
	| { readonly ok: false; readonly message: string };

const no = (message: string): UrlCheck => ({ ok: false, message });

/**
 * Checks a webhook's URL, and returns it as it will be requested. The parser has by then turned
 * every spelling of an IP address into the usual one.
 */
export function checkWebhookUrl(text: string): UrlCheck {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return no("Enter a full URL, such as https://example.com/milepost");
	}
	if (url.protocol !== "https:") return no("Enter a URL that begins with https://");
	if (url.username || url.password) return no("Enter a URL without a user name or password");
	if (url.port !== "") return no("Only port 443 is allowed, so leave the port out");
	const name = url.hostname.replace(/\.+$/, "");
	if (name.startsWith("[") || IPV4.test(name)) return no("Enter a domain name instead of an IP");
	if (!name.includes(".") || INSIDE.test(name))
		return no("Enter a public domain name, such as example.com");
	url.hash = "";
	return { ok: true, url: url.href };
}
