#!/usr/bin/env node
/**
 * Starts the Firefox of MILEPOST_FIREFOX for Playwright, which speaks WebDriver BiDi to it, and
 * stands between the two. Debian's Firefox doesn't know how to pretend to another color scheme, and
 * Playwright opens no window without asking for it: that one refusal becomes a yes. Everything else
 * passes as it is.
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

/** Puts one of Playwright's connections through. */
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
