/** Sends requests byte by byte, without the corrections that fetch makes. */
import { Agent, request as open } from "node:http";
import type { FuzzRequest } from "./request.ts";

export type Sent = {
	readonly status: number;
	readonly contentType: string;
	readonly text: string;
	/** The sizes of the answer and the request in bytes, headers included. */
	readonly answered: number;
	readonly asked: number;
	readonly milliseconds: number;
};

/** A connection to the Worker with each person's session. */
export class Sender {
	private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });
	private readonly heard = new WeakSet<object>();
	constructor(
		private readonly port: number,
		private readonly sessions: Readonly<Record<FuzzRequest["as"], string>>,
	) {}

	/**
	 * Sends a request and reads the whole answer.
	 * @throws if the connection is cut before the end
	 */
	send({ as, method, path, headers, cookie, body }: FuzzRequest): Promise<Sent> {
		const own = this.sessions[as];
		const cookies = cookie ? [cookie.isAlone ? "" : own, cookie.text] : [own];
		const origin = `http://localhost:${this.port}`;
		const all: Record<string, string> = {
			Host: `localhost:${this.port}`,
			...(method === "GET" || method === "HEAD"
				? {}
				: { Origin: origin, "Sec-Fetch-Site": "same-origin" }),
			...headers,
			Cookie: cookies.filter((each) => each !== "").join("; "),
			...(body ? { "Content-Length": String(body.byteLength) } : {}),
		};
		const headLength = Object.entries(all).reduce(
			(sum, [name, value]) => sum + name.length + value.length + 4,
			method.length + path.length + 12,
		);
		const began = performance.now();
		return new Promise((resolve, reject) => {
			const request = open(
				{
					host: "127.0.0.1",
					port: this.port,
					method,
					path,
					headers: all,
					agent: this.agent,
					// Cloudflare's limit; a redirect to a long URL is long as well.
					maxHeaderSize: 128 * 1024,
				},
				(response) => {
					const chunks: Buffer[] = [];
					response.on("data", (chunk: Buffer) => chunks.push(chunk));
					response.on("error", reject);
					response.on("end", () => {
						const whole = Buffer.concat(chunks);
						const head = response.rawHeaders.reduce((sum, each) => sum + each.length + 2, 0);
						resolve({
							status: response.statusCode ?? 0,
							contentType: response.headers["content-type"] ?? "",
							text: whole.toString("latin1"),
							answered: whole.byteLength + head,
							asked: headLength + (body?.byteLength ?? 0),
							milliseconds: performance.now() - began,
						});
					});
				},
			);
			// A connection closed after its answer was read isn't an error.
			request.on("socket", (socket) => {
				if (!this.heard.has(socket)) socket.on("error", () => undefined);
				this.heard.add(socket);
			});
			request.setTimeout(60_000, () => request.destroy(new Error("no answer in a minute")));
			request.on("error", reject);
			request.end(body);
		});
	}

	close(): void {
		this.agent.destroy();
	}
}
