/**
 * A poor connection: a network between a browser and the Worker that fails on request, where real
 * ones do. It understands HTTP, so that it can lose the response to a request that was committed.
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
 * What happens to a request. `before`: it is never sent; `during`: it is cut while being sent;
 * `after`: the Worker responds but the response is lost; `silent`: it arrives, but no response ever
 * comes and the connection stays open; `unwell` and `forbidden`: something before the Worker answers
 * 503 or 403; `failed`: it arrives, but the answer is a 500; `held`: the response comes once `restore`
 * is called; a number: it is delayed by that many milliseconds.
 */
export type Fault =
	| "none"
	| "before"
	| "during"
	| "after"
	| "silent"
	| "unwell"
	| "forbidden"
	| "failed"
	| "held"
	| number;
/** Decides what happens to each request. */
export type FaultRule = (method: string, path: string, cookie: string) => Fault;

export class FaultyNetwork {
	/** Requests that reached the Worker and were answered. */
	passed = 0;
	faultFor: FaultRule = () => "none";
	/** Changes a response's body, as a later version of the app would. */
	rewrite: (path: string, body: string) => string = (_, body) => body;
	private readonly server: Server;
	private readonly silent = new Set<Socket>();
	private readonly held = new Set<() => void>();

	/** @param target the Worker's port */
	private constructor(public target: number) {
		this.server = createServer(
			(incoming, outgoing) => void this.carry(incoming, outgoing).catch(() => outgoing.destroy()),
		);
		this.server.keepAliveTimeout = 600_000;
	}

	/** Forwards one local port to another. */
	static async open(from: number, to: number): Promise<FaultyNetwork> {
		const network = new FaultyNetwork(to);
		await new Promise<void>((ready) => network.server.listen(from, "127.0.0.1", ready));
		return network;
	}

	/** Cuts the connection, for requests in progress as well. */
	cut(): void {
		this.faultFor = () => "before";
		this.server.closeAllConnections();
	}

	/** Closes the connections that are waiting for a response. */
	hangUp(): void {
		for (const socket of this.silent) socket.destroy();
		this.silent.clear();
	}

	/** The network works, and held responses arrive. */
	restore(): void {
		this.faultFor = () => "none";
		for (const pass of this.held) pass();
		this.held.clear();
		this.rewrite = (_, body) => body;
	}

	close(): Promise<void> {
		this.server.closeAllConnections();
		return new Promise((done) => this.server.close(() => done()));
	}

	private async carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const path = (incoming.url ?? "/").replace(/\?.*/, "");
		const fault = this.faultFor(incoming.method ?? "GET", path, incoming.headers.cookie ?? "");
		if (fault === "before") return void incoming.socket.destroy();
		// From now on, since `restore` may come before the Worker's answer.
		const isLetGo = fault === "held" ? new Promise<void>((pass) => this.held.add(pass)) : undefined;
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) {
			chunks.push(chunk as Buffer);
			if (fault === "during") return void incoming.socket.destroy();
		}
		if (fault === "during") return void incoming.socket.destroy();
		if (fault === "unwell" || fault === "forbidden")
			return void outgoing
				.writeHead(fault === "unwell" ? 503 : 403, { "Content-Type": "text/html" })
				.end("<h1>Out of order</h1>");
		const answer = await this.ask(incoming, Buffer.concat(chunks));
		this.passed += 1;
		if (fault === "after") return void incoming.socket.destroy();
		if (fault === "silent") return void this.silent.add(incoming.socket);
		if (fault === "failed")
			return void outgoing
				.writeHead(500, { "Content-Type": "application/json" })
				.end('{"message":"Something went wrong"}');
		if (typeof fault === "number") await wait(fault);
		await isLetGo;
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
			// Headers are forwarded unchanged because the Worker checks them, except that bodies must be
			// uncompressed to be rewritten.
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
