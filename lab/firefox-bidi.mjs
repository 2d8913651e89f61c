#!/usr/bin/env node
/**
 * Starts the Firefox in MILEPOST_FIREFOX for Playwright, which speaks WebDriver BiDi to it, and
 * relays between the two. Debian's Firefox can't emulate a color scheme, and Playwright opens no
 * window without that, so this one refusal is turned into a success. Everything else passes
 * unchanged.
 */
import { spawn } from "node:child_process";
import { WebSocket, WebSocketServer } from "ws";

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;
const ASKED_FOR_NOTHING = "emulation.setMediaFeaturesOverride";

const firefox = spawn(process.env.MILEPOST_FIREFOX ?? "firefox", process.argv.slice(2), {
	stdio: ["inherit", "inherit", "pipe"],
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
	process.on(signal, () => firefox.kill(signal));
firefox.on("exit", (code) => process.exit(code ?? 0));
firefox.on("error", (error) => {
	console.error(error.message);
	process.exit(1);
});

/** Relays one of Playwright's connections. */
function carry(near, address) {
	const far = new WebSocket(address, { perMessageDeflate: false });
	const early = [];
	const forgiven = new Set();
	const send = (text) => (far.readyState === WebSocket.OPEN ? far.send(text) : early.push(text));
	far.on("open", () => {
		for (const text of early) far.send(text);
	});
	near.on("message", (data) => {
		const text = String(data);
		const { id, method } = JSON.parse(text);
		if (method === ASKED_FOR_NOTHING) forgiven.add(id);
		send(text);
	});
	far.on("message", (data) => {
		const text = String(data);
		const { type, id, error } = JSON.parse(text);
		const isForgiven = type === "error" && error === "unknown command" && forgiven.delete(id);
		near.send(isForgiven ? JSON.stringify({ type: "success", id, result: {} }) : text);
	});
	far.on("error", () => near.close());
	far.on("close", () => near.close());
	near.on("close", () => far.close());
}

firefox.stderr.on("data", (data) => {
	const [, address] = LISTENING.exec(String(data)) ?? [];
	if (!address) return process.stderr.write(data);
	const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
	server.on("connection", (near, request) => carry(near, address + request.url));
	server.on("listening", () =>
		process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
	);
});
