/**
 * One bar of signal: a line between a browser and the Worker that fails when it is told to, at the
 * places where a real one does. It knows requests, so that it can lose an answer whose commit has
 * been made.
 */
import {
	createServer,
	type IncomingMessage,
	request,
	type Server,
	type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/**
 * What befalls a request. `before`: it never leaves; `during`: it is cut while it is sent; `after`:
 * the Worker has answered and nobody hears it; `silent`: it arrives and the answer never comes, the
 * line staying open; `unwell`: something before the Worker answers 503; a number: the answer takes
 * so many milliseconds longer.
 */
export type Fault = "none" | "before" | "during" | "after" | "silent" | "unwell" | number;
/** Decides for each request. */
export type FaultRule = (method: string, path: string, cookie: string) => Fault;

export class FaultyNetwork {
	/** Requests that were put through to the Worker and answered by it. */
	passed = 0;
	weather: FaultRule = () => "none";
	/** Changes what an address answers, as a later version of the app would. */
	rewrite: (path: string, body: string) => string = (_, body) => body;
	private readonly server: Server;
	private readonly silent = new Set<Socket>();

	/** @param target the port that it leads to */
	private constructor(public target: number) {
		this.server = createServer(
			(incoming, outgoing) => void this.carry(incoming, outgoing).catch(() => outgoing.destroy()),
		);
		this.server.keepAliveTimeout = 600_000;
	}

	/** A line from one port of this machine to another. */
	static async open(from: number, to: number): Promise<FaultyNetwork> {
		const line = new FaultyNetwork(to);
		await new Promise<void>((ready) => line.server.listen(from, "127.0.0.1", ready));
		return line;
	}

	/** No signal at all, for everything that is under way too. */
	cut(): void {
		this.weather = () => "before";
		this.server.closeAllConnections();
	}

	/** Ends what has been kept waiting for an answer. */
	hangUp(): void {
		for (const socket of this.silent) socket.destroy();
		this.silent.clear();
	}

	restore(): void {
		this.weather = () => "none";
		this.rewrite = (_, body) => body;
	}

	close(): Promise<void> {
		this.server.closeAllConnections();
		return new Promise((done) => this.server.close(() => done()));
	}

	private async carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const path = (incoming.url ?? "/").replace(/\?.*/, "");
		const fault = this.weather(incoming.method ?? "GET", path, incoming.headers.cookie ?? "");
		if (fault === "before") return void incoming.socket.destroy();
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) {
			chunks.push(chunk as Buffer);
			if (fault === "during") return void incoming.socket.destroy();
		}
		if (fault === "during") return void incoming.socket.destroy();
		if (fault === "unwell")
			return void outgoing
				.writeHead(503, { "Content-Type": "text/html" })
				.end("<h1>Out of order</h1>");
		const answer = await this.ask(incoming, Buffer.concat(chunks));
		this.passed += 1;
		if (fault === "after") return void incoming.socket.destroy();
		if (fault === "silent") return void this.silent.add(incoming.socket);
		if (typeof fault === "number") await wait(fault);
		outgoing.writeHead(answer.status, answer.headers);
		outgoing.end(
			path === "/service-worker.js" ? this.rewrite(path, answer.body.toString()) : answer.body,
		);
	}

	private ask(
		{ method, url, rawHeaders }: IncomingMessage,
		body: Buffer,
	): Promise<{ status: number; headers: string[]; body: Buffer }> {
		return new Promise((pass, fail) => {
			// Headers as they came, since the Worker judges them; but what is rewritten comes as it is.
			const headers = rawHeaders.filter(
				(_, at) => !/^accept-encoding$/i.test(rawHeaders[at - (at % 2)] ?? ""),
			);
			const out = request({
				host: "127.0.0.1",
				port: this.target,
				method,
				path: url,
				headers: headers as never,
				agent: false,
			});
			out.once("error", fail);
			out.once("response", (response) => {
				const chunks: Buffer[] = [];
				response.on("data", (chunk: Buffer) => chunks.push(chunk));
				response.once("error", fail);
				response.once("end", () => {
					const headers: string[] = [];
					for (let at = 0; at < response.rawHeaders.length; at += 2) {
						const name = response.rawHeaders[at] ?? "";
						if (!/^(transfer-encoding|connection|keep-alive|content-length)$/i.test(name))
							headers.push(name, response.rawHeaders[at + 1] ?? "");
					}
					pass({ status: response.statusCode ?? 500, headers, body: Buffer.concat(chunks) });
				});
			});
			out.end(body);
		});
	}
}
