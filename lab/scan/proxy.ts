/**
 * Signs a scanner in: a proxy in front of the site that adds what a browser would send and never
 * signs out. (wapiti's own exclusions fail on Python 3.11.)
 */
import { createServer, request } from "node:http";
import { freePort } from "../../tools/free-port.ts";

/**
 * Opens the proxy.
 * @param origin of the site
 * @param cookie of the session
 */
export async function openProxy(
	origin: string,
	cookie: string,
): Promise<{ origin: string; requests: () => number; close: () => void }> {
	const port = await freePort();
	let requests = 0;
	const server = createServer((incoming, outgoing) => {
		const { method = "GET", url = "/", headers } = incoming;
		requests += 1;
		if (/^\/api\/logout/i.test(url)) {
			outgoing.writeHead(404).end();
			return;
		}
		const { host: _, cookie: __, ...others } = headers;
		const own = {
			Host: new URL(origin).host,
			Cookie: cookie,
			Origin: origin,
			"Sec-Fetch-Site": "same-origin",
		};
		const target = { host: "127.0.0.1", port: new URL(origin).port, method, path: url };
		const sent = request({ ...target, headers: { ...others, ...own } }, (answer) => {
			const { statusCode = 502 } = answer;
			outgoing.writeHead(statusCode, answer.headers);
			answer.pipe(outgoing);
		});
		sent.on("error", () => outgoing.destroy());
		incoming.pipe(sent);
	});
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	return {
		origin: `http://localhost:${port}`,
		requests: () => requests,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
