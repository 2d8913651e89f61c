/**
 * What is promised with JavaScript (docs/product.md, 'Browsers'): the driver's day with the server
 * gone, and a PDF at the review desk. `npm run test:browsers` plays it in the oldest browsers of the
 * promise that can be had, too.
 */
import { afterAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { FaultyNetwork } from "../offline/faulty-network.ts";
import { SAVED } from "../offline/steps.ts";
import { receiptPdf } from "../receipts/drawn-pdfs.ts";
import { idOf } from "../support/cast.ts";
import { multipart } from "../support/forms.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";
import { openBrowser } from "./browser.ts";
import { fill, type Hand, press, sees, signInBy, textOf } from "./hand.ts";
import { closeWebKit, IS_WEBKIT, openWebKit } from "./webkit.ts";

const [near, far] = [await freePort(), await freePort()];
const origin = `http://localhost:${near}`;
const fleet = await openFleet({ port: far, origin });
const network = await FaultyNetwork.open(near, far);
const browser = IS_WEBKIT ? undefined : await openBrowser();
afterAll(async () => {
	await browser?.close();
	await closeWebKit();
	await network.close();
});

/** A window of this run's browser, which has never been used before. */
async function openHand(): Promise<Hand> {
	if (!browser) return openWebKit(origin);
	const context = await browser.newContext({ baseURL: origin, reducedMotion: "reduce" });
	const page = await context.newPage();
	return {
		name: `${browser.browserType().name()} ${browser.version()}`,
		visit: async (path) => void (await page.goto(path)),
		run: (work, ...values) => page.evaluate(`(${work})(...${JSON.stringify(values)})`),
		close: () => context.close(),
	};
}

it("a trip that is logged while the server is gone is sent once, and the page beside it counts it", async () => {
	const hand = await openHand();
	await signInBy(hand, "dana@milepost.test");
	const miles = async () =>
		Number(/This Week\s*([\d,]+) mi/i.exec(await textOf(hand))?.[1]?.replace(",", ""));
	await hand.visit("/");
	await expect.poll(miles).toBeGreaterThanOrEqual(0);
	const before = await miles();
	await hand.visit("/mileage");
	const isPrepared = () =>
		hand
			.run(
				() =>
					navigator.serviceWorker.controller !== null &&
					document.querySelector("form[data-is-kept]") !== null,
			)
			.catch(() => false);
	await expect.poll(isPrepared, { timeout: 60_000 }).toBe(true);
	network.cut();
	await fill(hand, "startOdometer", "710000");
	await fill(hand, "endOdometer", "710068");
	await fill(hand, "notes", "By an older browser");
	await press(hand, "Log Mileage");
	await sees(hand, SAVED);
	const trips = () =>
		fleet.sql(
			"select miles from mileage_logs where notes = 'By an older browser' and driver_id = ?",
			idOf("dana"),
		);
	expect(await trips()).toEqual([]);
	network.restore();
	await hand.visit("/");
	await expect.poll(miles, { timeout: 60_000 }).toBe(before + 68);
	expect(await trips()).toEqual([{ miles: 68 }]);
	console.log(`${hand.name}: one trip, and the dashboard counts ${before} + 68 miles`);
	await hand.close();
});

it("the browser's own file button doesn't stand in ours", async () => {
	const hand = await openHand();
	await signInBy(hand, "dana@milepost.test");
	await hand.visit("/requests");
	const opacity = () =>
		hand
			.run(() => {
				const field = document.querySelector("input[type=file]");
				return field ? getComputedStyle(field).opacity : "";
			})
			.catch(() => "");
	await expect.poll(opacity).toBe("0");
	await hand.close();
});

it("a receipt that is a PDF is shown at the desk", async () => {
	const driver = await fleet.as("dana");
	const sent = await driver.request(
		"/api/receipts",
		await multipart({}, { bytes: receiptPdf(), name: "pump.pdf", type: "application/pdf" }),
	);
	const { id } = JSON.parse(sent.text) as { id: string };
	await insertRequest((query, ...values) => fleet.sql(query, ...values), 1, "dana", {
		receipt_id: id,
	});
	const hand = await openHand();
	await signInBy(hand, "admin@milepost.test");
	await hand.visit("/fund-requests?open=FR-000001");
	// Pixels that aren't white, of the first page.
	const drawn = () =>
		hand
			.run(() => {
				const canvas = document.querySelector<HTMLCanvasElement>(
					'[data-island="receipt-pages"] canvas',
				);
				if (!canvas) return 0;
				const { width, height } = canvas;
				const { data } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? { data: [] };
				let colored = 0;
				for (let at = 0; at < data.length; at += 4) if ((data[at + 1] ?? 255) < 200) colored += 1;
				return colored;
			})
			.catch(() => 0);
	await expect.poll(drawn, { timeout: 60_000 }).toBeGreaterThan(20_000);
	console.log(`${hand.name}: a page with ${await drawn()} colored pixels`);
	await hand.close();
});
