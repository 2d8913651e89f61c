/** Requests on connections that wait as long as the Worker takes: a fetch gives up on a busy machine. */
import { Agent, request as open } from "node:http";

export type Asked = {
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Of a post. */
	readonly body?: string | Uint8Array;
};
export type Told = { readonly status: number; readonly retryAfter: string | undefined };

export class Connections {
	readonly #agent: Agent;
	/** Connections that have carried an answer. */
	readonly #used = new WeakSet<object>();
	constructor(
		private readonly port: number,
		atOnce: number,
	) {
		this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce });
	}

	/**
	 * The answer, read to its end and not kept. A connection that was closed while it waited for its
	 * next request is replaced, as browsers do; so every write needs a key.
	 * @throws when a connection is cut before the answer's end
	 */
	ask(asked: Asked): Promise<Told> {
		const { path, headers, body } = asked;
		const method = body === undefined ? "GET" : "POST";
		const all = { Host: `localhost:${this.port}`, ...headers };
		return new Promise((resolve, reject) => {
			// The answer lets go of it before its own end.
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
