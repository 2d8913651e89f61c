import { createServer } from "node:net";

/** A port nobody listens on. */
export function freePort(): Promise<number> {
	return new Promise((pass, fail) => {
		const probe = createServer().once("error", fail);
		probe.listen(0, "127.0.0.1", () => {
			const { port } = probe.address() as { port: number };
			probe.close(() => pass(port));
		});
	});
}
