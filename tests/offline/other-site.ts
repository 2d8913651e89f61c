/** Another site, whose pages try to write in a signed-in driver's name. */
import { createServer } from "node:http";
import { freePort } from "../../tools/free-port.ts";

/** The form on a forged page, and how it is sent. */
export type ForgedForm = {
	/** The URL it posts to. */
	readonly action: string;
	readonly fields: Readonly<Record<string, string>>;
	readonly enctype?: string;
	readonly referrerPolicy?: string;
	readonly target?: string;
	/** Puts the form into a sandboxed frame, where its origin is opaque. */
	readonly isSandboxed?: boolean;
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function formHtml({ action, fields, enctype = "", target = "" }: ForgedForm): string {
	const inputs = Object.entries(fields).map(
		([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
	);
	const attributes = `action="${escaped(action)}" enctype="${enctype}" target="${target}"`;
	return `<form method="post" ${attributes}>${inputs.join("")}<button>Win a prize</button></form>`;
}

function pageHtml(form: ForgedForm): string {
	if (!form.isSandboxed) return formHtml(form);
	const inner = formHtml({ ...form, target: "_top" });
	return `<iframe sandbox="allow-forms allow-top-navigation" srcdoc="${escaped(inner)}"></iframe>`;
}

/**
 * One server with two names: `127.0.0.1` is another site than `localhost`, whose other ports are
 * the same site.
 */
export class OtherSite {
	private constructor(
		private readonly port: number,
		/** Stops listening. */
		readonly close: () => void,
	) {}

	/** Starts listening on a free local port. */
	static async open(): Promise<OtherSite> {
		const server = createServer((request, response) => {
			const url = new URL(request.url ?? "/", "http://other/");
			request.resume();
			const to = url.searchParams.get("to");
			if (to)
				return void response
					.writeHead(Number(url.searchParams.get("status")), { Location: to })
					.end();
			const text = url.searchParams.get("form");
			if (!text) return void response.writeHead(404).end();
			const form = JSON.parse(text) as ForgedForm;
			const policy = form.referrerPolicy ? { "Referrer-Policy": form.referrerPolicy } : {};
			response.writeHead(200, { "Content-Type": "text/html", ...policy });
			response.end(`<!doctype html><title>Prizes</title>${pageHtml(form)}`);
		});
		const port = await freePort();
		await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
		return new OtherSite(port, () => {
			server.closeAllConnections();
			server.close();
		});
	}

	/** @param site `cross-site`, or `same-site` for a different origin on our own site */
	origin(site: "cross-site" | "same-site"): string {
		return `http://${site === "cross-site" ? "127.0.0.1" : "localhost"}:${this.port}`;
	}

	/** The URL of a page with a form. */
	page(site: "cross-site" | "same-site", form: ForgedForm): string {
		return `${this.origin(site)}/?form=${encodeURIComponent(JSON.stringify(form))}`;
	}

	/** The URL of a redirect. */
	redirect(site: "cross-site" | "same-site", status: number, to: string): string {
		return `${this.origin(site)}/?status=${status}&to=${encodeURIComponent(to)}`;
	}
}
