/** An OpenID provider with only a discovery document. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** @param change what it says instead, once its URL is known */
export async function openDiscovery(change: (issuer: string) => object = () => ({})) {
	let text = "";
	const server = createServer((request, response) => {
		const isThere = request.url === "/.well-known/openid-configuration";
		response.writeHead(isThere ? 200 : 404).end(isThere ? text : "{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	text = JSON.stringify({
		issuer,
		authorization_endpoint: `${issuer}/auth`,
		token_endpoint: `${issuer}/token`,
		jwks_uri: `${issuer}/keys`,
		...change(issuer),
	});
	return { issuer, close: () => server.close() };
}
