/** Requests on connections that wait as long as the Worker takes: a fetch gives up on a busy machine. */
import { Agent, request as open } from "node:http";

export type Asked = {
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Of a post. */
	readonly body?: string;
};
export type Told = { readonly status: number; readonly retryAfter: string | undefined };

export class Connections {
	readonly #agent: Agent;
	constructor(
		private readonly port: number,
		atOnce: number,
	) {
		this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce });
	}

	/**
	 * The answer, read to its end and not kept.
	 * @throws when the connection is cut before it is
	 */
	ask({ path, headers, body }: Asked): Promise<Told> {
		const method = body === undefined ? "GET" : "POST";
		const all = { Host: `localhost:${this.port}`, ...headers };
		return new Promise((resolve, reject) => {
			const request = open(
				{ host: "127.0.0.1", port: this.port, method, path, headers: all, agent: this.#agent },
				(response) => {
					response.on("error", reject);
					response.on("end", () => {
						const retryAfter = response.headers["retry-after"];
						resolve({ status: response.statusCode ?? 0, retryAfter });
					});
					response.resume();
				},
			);
			request.on("error", reject);
			request.end(body);
		});
	}

	close(): void {
		this.#agent.destroy();
	}
}
