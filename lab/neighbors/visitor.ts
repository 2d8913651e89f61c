/** Acts like a person's browser at a Worker on this machine, and counts the answers. */
import { multipart, type SentFile } from "../../tests/support/forms.ts";

/** The answers to all visitors of one Worker. */
export type Tally = {
	answers: number;
	/** A line for each answer that isn't what the job needs: `POST /api/mileage: 500, for 201`. */
	readonly faults: string[];
};

export type Answer = { readonly status: number; readonly text: string; readonly location: string };

type Sent = { body?: string | URLSearchParams | Uint8Array; headers?: Record<string, string> };

/** Signs in, keeps cookies, follows no redirects. */
export class Visitor {
	readonly #cookies = new Map<string, string>();
	constructor(
		private readonly origin: string,
		private readonly tally: Tally,
	) {}

	/**
	 * Sends one request and reads the complete answer.
	 * @param wanted the status that the job needs; undefined accepts anything below 500
	 */
	async ask(method: string, path: string, wanted?: number, sent: Sent = {}): Promise<Answer> {
		const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const own: Record<string, string> =
			method === "GET" ? {} : { Origin: this.origin, "Sec-Fetch-Site": "same-origin" };
		const response = await fetch(this.origin + path, {
			method,
			redirect: "manual",
			// A kept connection may be closed by workerd just as the next request is sent on it.
			headers: { ...own, Cookie: cookie, Connection: "close", ...sent.headers },
			...(sent.body === undefined ? {} : { body: sent.body as BodyInit }),
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			this.#cookies.set(name, value);
		}
		const text = await response.text();
		const { status } = response;
		this.tally.answers += 1;
		if (status >= 500 || (wanted !== undefined && status !== wanted))
			this.tally.faults.push(
				`${method} ${path}: ${status}${wanted ? `, for ${wanted}` : ""} ${text.slice(0, 200).replace(/\s+/g, " ")}`,
			);
		return { status, text, location: response.headers.get("Location") ?? "" };
	}

	get = (path: string, wanted?: number) => this.ask("GET", path, wanted);

	/** A form without a file. */
	post = (path: string, fields: Record<string, string>, wanted = 303) =>
		this.ask("POST", path, wanted, { body: new URLSearchParams(fields) });

	/** A form with a file. */
	async send(
		path: string,
		fields: Record<string, string>,
		file: SentFile,
		name: string,
		wanted: number,
	) {
		const { body, headers } = await multipart(fields, file, name);
		return this.ask("POST", path, wanted, { body, headers });
	}

	/** Sends JSON and returns the JSON of the answer. */
	async call(
		method: string,
		path: string,
		body: unknown,
		wanted: number,
	): Promise<Record<string, string>> {
		const headers = { "Content-Type": "application/json" };
		const { text } = await this.ask(method, path, wanted, { body: JSON.stringify(body), headers });
		try {
			return JSON.parse(text) as Record<string, string>;
		} catch {
			return {};
		}
	}

	async signIn(email: string): Promise<this> {
		await this.post("/api/login", { email });
		return this;
	}

	/**
	 * Opens every page that links lead to from the first one; of pages that differ only in an id or a
	 * filter's value, just one.
	 */
	async walk(): Promise<number> {
		const seen = new Set<string>();
		const waiting = ["/"];
		for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
			const kind = kindOf(path);
			if (seen.has(kind) || /^\/(api\/log|assets\/)/.test(path)) continue;
			seen.add(kind);
			const { text, location } = await this.get(path);
			if (location.startsWith("/")) waiting.push(location);
			for (const [, href = ""] of text.matchAll(/\b(?:href|src)="(\/[^"#]*)/g))
				waiting.push(href.replaceAll("&amp;", "&"));
		}
		return seen.size;
	}
}

/** A path without what differs between pages of one kind. */
function kindOf(path: string): string {
	const { pathname, searchParams } = new URL(path, "http://localhost");
	const names = [...searchParams].map(([name, value]) =>
		name === "dialog" || name === "tab" ? `${name}=${value}` : name,
	);
	return `${pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id")}?${names.sort().join("&")}`;
}
