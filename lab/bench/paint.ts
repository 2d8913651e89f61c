/**
 * `npm run bench -- paint`: how soon a driver's form can be read over a slow network, compared with
 * the same page as one static file, and with its styles in a separate file.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "@playwright/test";
import { Miniflare } from "miniflare";
import { CAST, seedOf } from "../../tests/support/cast.ts";
import { findBrowser } from "../../tools/browser.ts";
import { freePort } from "../../tools/free-port.ts";
import { workerOptions } from "../../tools/local-worker.ts";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import type { Figure } from "./table.ts";

/** The presets of Chromium's developer tools: milliseconds, and bytes per second. */
const NETWORKS = {
	"Slow 4G": { latency: 562.5, throughput: 180_000 },
	"Slow 3G": { latency: 2000, throughput: 50_000 },
} as const;
type Network = (typeof NETWORKS)[keyof typeof NETWORKS];
const SAMPLES = 3;
/** The first paint's limit, as a multiple of the static file's. */
const BUDGETS = { cold: 1.2, warm: 1.05 } as const;

type Paint = Readonly<Record<keyof typeof BUDGETS, number>>;
const median = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * The first paint in a browser with an empty cache, and of the same page again, from another one of
 * its site: from elsewhere, `Cross-Origin-Opener-Policy` starts a new process each time.
 */
async function paintOf(
	browser: Browser,
	url: string,
	other: string,
	cookie: { name: string; value: string } | undefined,
	{ latency, throughput }: Network,
): Promise<Paint> {
	const times: Record<keyof typeof BUDGETS, number[]> = { cold: [], warm: [] };
	for (let sample = 0; sample < SAMPLES; sample++) {
		const context = await browser.newContext({
			viewport: { width: 360, height: 740 },
			// Its requests wouldn't be slowed down.
			serviceWorkers: "block",
		});
		if (cookie) await context.addCookies([{ ...cookie, url }]);
		const page = await context.newPage();
		const session = await context.newCDPSession(page);
		await session.send("Network.enable");
		await session.send("Network.emulateNetworkConditions", {
			offline: false,
			latency,
			downloadThroughput: throughput,
			uploadThroughput: throughput,
		});
		for (const visit of ["cold", "warm"] as const) {
			await page.goto(url, { waitUntil: "load", timeout: 120_000 });
			const painted = await page.waitForFunction(
				() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
			);
			times[visit].push((await painted.jsonValue()) ?? 0);
			await page.goto(new URL(other, url).href, { timeout: 120_000 });
		}
		await context.close();
	}
	return { cold: median(times.cold), warm: median(times.warm) };
}

/** Prints the table. @returns false if a budget is missed */
export async function benchPaint(): Promise<readonly Figure[]> {
	const port = await freePort();
	const worker = new Miniflare(workerOptions({ port, onLine: () => undefined }));
	const origin = `http://localhost:${port}`;
	const db = await worker.getD1Database("DB");
	await migrate(db);
	await insertSeed(db, seedOf(Date.now(), "everyone"));
	const signedIn = await fetch(`${origin}/api/login`, {
		method: "POST",
		redirect: "manual",
		headers: { Origin: origin },
		body: new URLSearchParams({ email: CAST.dana.email }),
	});
	const [, name = "", value = ""] =
		/^([^=]+)=([^;]+)/.exec(signedIn.headers.getSetCookie()[0] ?? "") ?? [];
	const answer = await fetch(`${origin}/mileage`, { headers: { Cookie: `${name}=${value}` } });
	const page = await answer.text();
	const styles = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
	const still = page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<link [^>]*>/g, "");
	const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
		"/static": ["text/html; charset=utf-8", still],
		"/linked": [
			"text/html; charset=utf-8",
			still.replace(/<style>[\s\S]*?<\/style>/, '<link rel="stylesheet" href="/styles.css">'),
		],
		"/styles.css": ["text/css", styles],
	};
	const server = createServer(({ url = "" }, response) => {
		const [type, text] = files[url] ?? ["text/plain", ""];
		const cache = type === "text/css" ? "public, max-age=31536000, immutable" : "no-store";
		response
			.writeHead(200, { "Content-Type": type, "Cache-Control": cache, "Content-Encoding": "gzip" })
			.end(gzipSync(text));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const copies = `http://localhost:${(server.address() as AddressInfo).port}`;
	const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
	const figures: Figure[] = [];
	console.log("\nFirst paint of /mileage, milliseconds, and beside the page as one static file");
	for (const [label, network] of Object.entries(NETWORKS)) {
		const one = await paintOf(browser, `${copies}/static`, "/", undefined, network);
		const linked = await paintOf(browser, `${copies}/linked`, "/", undefined, network);
		const ours = await paintOf(browser, `${origin}/mileage`, "/help", { name, value }, network);
		for (const visit of ["cold", "warm"] as const) {
			const ratio = ours[visit] / one[visit];
			figures.push({
				what: `${label} ${visit}, beside the static file`,
				figure: ratio,
				unit: "x",
				budget: BUDGETS[visit],
			});
			console.log(
				`${label} ${visit}: ${ours[visit].toFixed(0)}, static ${one[visit].toFixed(0)}, styles linked ${linked[visit].toFixed(0)}: ${ratio.toFixed(2)}x (at most ${BUDGETS[visit]}x), linked ${(linked[visit] / one[visit]).toFixed(2)}x`,
			);
		}
	}
	await browser.close();
	server.close();
	await worker.dispose();
	return figures;
}
