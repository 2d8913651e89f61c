/** An email provider with an API like Resend's that fails as the director decides. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Director } from "./director.ts";
import { HICCUP } from "./director.ts";

type Sent = { readonly to: readonly [string] };

/** A provider that accepts each idempotency key once. */
export class MailProvider {
	readonly #keys = new Set<string>();
	private constructor(
		private readonly director: Director,
		private readonly server: ReturnType<typeof createServer>,
	) {}

	static async open(director: Director): Promise<MailProvider> {
		const server = createServer((request, response) => {
			const key = String(request.headers["idempotency-key"]);
			// A Worker killed while sending leaves half a request.
			buffer(request)
				.then((body) => provider.#answer(key, JSON.parse(body.toString()), response))
				.catch(() => response.destroy());
		});
		const provider = new MailProvider(director, server);
		server.listen(0, "127.0.0.1");
		await new Promise((resolve) => server.once("listening", resolve));
		return provider;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/emails`;
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}

	async #answer(
		key: string,
		sent: Sent | readonly Sent[],
		response: ServerResponse,
	): Promise<void> {
		const call = { store: "mail", statements: 1 } as const;
		const { act, wait = 0, message } = await this.director.order(call);
		await new Promise((resolve) => setTimeout(resolve, wait));
		const fail = () => {
			if (message === HICCUP) response.destroy();
			else response.writeHead(500).end("{}");
		};
		if (act === "before") return fail();
		const list = [sent].flat();
		if (!this.#keys.has(key))
			for (const { to } of list) await this.director.order({ ...call, taken: to[0] });
		this.#keys.add(key);
		if (act === "after") {
			if (!message) await this.director.order({ ...call, isDone: true });
			return fail();
		}
		response.writeHead(200, { "Content-Type": "application/json" });
		const data = list.map((_, at) => ({ id: `resend-${key}-${at}` }));
		const answer = JSON.stringify(Array.isArray(sent) ? { data } : data[0]);
		response.end(act === "inside" ? answer.slice(0, 10) : answer);
	}
}
