/** Requests without a timeout, because fetch gives up on a busy machine. */
import { Agent, request as open } from "node:http";

export type LoadRequest = {
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Makes it a POST. */
	readonly body?: string | Uint8Array;
};
export type LoadAnswer = { readonly status: number; readonly retryAfter: string | undefined };

export class Connections {
	readonly #agent: Agent;
	/** Connections that have received an answer. */
	readonly #used = new WeakSet<object>();
	constructor(
		private readonly port: number,
		atOnce: number,
	) {
		this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce });
	}

	/**
	 * Sends a request and reads the answer without storing it. A connection that was closed while
	 * idle is replaced, as browsers do, so every write needs a key.
	 * @throws if a connection is cut before the answer's end
	 */
	ask(asked: LoadRequest): Promise<LoadAnswer> {
		const { path, headers, body } = asked;
		const method = body === undefined ? "GET" : "POST";
		const all = { Host: `localhost:${this.port}`, ...headers };
		return new Promise((resolve, reject) => {
			// The response releases its socket before it ends.
			let socket: object | undefined;
			const request = open(
				{ host: "127.0.0.1", port: this.port, method, path, headers: all, agent: this.#agent },
				(response) => {
					response.on("error", reject);
					response.on("end", () => {
						if (socket) this.#used.add(socket);
						const retryAfter = response.headers["retry-after"];
						resolve({ status: response.statusCode ?? 0, retryAfter });
					});
					response.resume();
				},
			);
			request.on("socket", (each) => {
				socket = each;
			});
			request.on("error", (error: NodeJS.ErrnoException) => {
				const isStale = socket !== undefined && this.#used.has(socket);
				if (isStale && error.code === "ECONNRESET") this.ask(asked).then(resolve, reject);
				else reject(error);
			});
			request.end(body);
		});
	}

	close(): void {
		this.#agent.destroy();
	}
}
