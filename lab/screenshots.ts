/**
 * `npm run screenshots`: takes screenshots of the main screens of the built app, with the demo
 * fleet at a fixed moment on a Tuesday morning, and saves them to docs/pictures; those that the app
 * itself shows, in both color schemes, to app/ui/pictures.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { Miniflare } from "miniflare";
import sharp from "sharp";
import { Database } from "../app/db/client.server.ts";
import { rebuildStandings } from "../app/domain/analytics/keep-standings.server.ts";
import { dateIn } from "../app/values/calendar-date.ts";
import { CAST, ZONE } from "../tests/support/cast.ts";
import { withMovableClock } from "../tests/support/moved-worker.ts";
import { findBrowser } from "../tools/browser.ts";
import { bundle } from "../tools/bundle.ts";
import { freePort } from "../tools/free-port.ts";
import { bundleModules, workerOptions } from "../tools/local-worker.ts";
import { migrate } from "../tools/migrate.ts";
import { seedDemo } from "../tools/seed-database.ts";

/** Tuesday, 10:20 in New York. */
const NOW = Date.parse("2026-11-17T15:20:00Z");
const FOLDER = join("docs", "pictures");
const MAX_BYTES = 1_500_000;
const SIZES = {
	desk: { width: 1280, height: 800, scale: 1 },
	phone: { width: 390, height: 780, scale: 2 },
	/** As app/ui/pictures/picture.tsx shows them. */
	page: { width: 360, height: 640, scale: 1.5 },
} as const;

type Picture = {
	readonly name: string;
	readonly who: "ada" | "dana";
	readonly path: string;
	readonly size: keyof typeof SIZES;
	readonly scheme?: "dark";
	/** The app's folder, as WebP; otherwise it is a PNG in docs/pictures. */
	readonly folder?: string;
	/** What is done on the page before the screenshot. */
	readonly first?: (page: Page) => Promise<void>;
};

const typeEnd = (page: Page) => page.getByLabel("Ending Odometer").fill("46,385");
async function askForFuel(page: Page): Promise<void> {
	await page.getByRole("link", { name: "Gas", exact: true }).click();
	await page.getByLabel("Amount").fill("45.50");
	await page.getByLabel("Amount").blur();
	await page.evaluate(() => scrollTo(0, 0));
}
/** What the landing page and Help show. */
const SHOWN = (["light", "dark"] as const).flatMap((scheme): Picture[] =>
	(
		[
			["mileage", "/mileage", typeEnd],
			["request", "/requests", askForFuel],
		] as const
	).map(([name, path, first]) => ({
		name: `${name}-${scheme}`,
		who: "dana",
		path,
		size: "page",
		...(scheme === "dark" ? { scheme } : {}),
		folder: join("app", "ui", "pictures"),
		first,
	})),
);

const PICTURES: readonly Picture[] = [
	{ name: "overview", who: "ada", path: "/", size: "desk" },
	{ name: "overview-dark", who: "ada", path: "/", size: "desk", scheme: "dark" },
	{
		name: "charts",
		who: "ada",
		path: "/",
		size: "desk",
		first: (page) =>
			page.locator("#miles").evaluate((heading) => {
				scrollTo(0, heading.getBoundingClientRect().top + scrollY - 96);
			}),
	},
	{
		name: "review-desk",
		who: "ada",
		path: "/fund-requests?status=pending&open=FR-000112",
		size: "desk",
	},
	{ name: "mileage-reports", who: "ada", path: "/mileage-reports?range=month", size: "desk" },
	{ name: "drivers", who: "ada", path: "/drivers", size: "desk" },
	{ name: "payouts", who: "ada", path: "/payouts", size: "desk" },
	{ name: "overview-phone", who: "ada", path: "/", size: "phone" },
	{ name: "driver-dashboard", who: "dana", path: "/", size: "phone" },
	{
		name: "log-mileage",
		who: "dana",
		path: "/mileage",
		size: "phone",
		first: typeEnd,
	},
	{ name: "requests", who: "dana", path: "/requests", size: "phone" },
	{ name: "requests-dark", who: "dana", path: "/requests", size: "phone", scheme: "dark" },
	{ name: "history", who: "dana", path: "/history", size: "phone" },
	...SHOWN,
];

/** The built Worker with the fleet, in memory. */
async function openFleet() {
	await bundle("local");
	const port = await freePort();
	const root = resolve("build", "local", "worker");
	const options = {
		...workerOptions({ port }),
		modules: withMovableClock(root, bundleModules(root), NOW - Date.now()),
	};
	const worker = new Miniflare(options as ConstructorParameters<typeof Miniflare>[0]);
	const db = (await worker.getD1Database("DB")) as unknown as D1Database;
	await migrate(db);
	await seedDemo(db, (await worker.getR2Bucket("RECEIPTS")) as unknown as R2Bucket, NOW);
	await rebuildStandings(new Database(db), dateIn(ZONE, NOW));
	return { worker, origin: `http://localhost:${port}` };
}

const { worker, origin } = await openFleet();
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
try {
	mkdirSync(FOLDER, { recursive: true });
	let bytes = 0;
	for (const { name, who, path, size, scheme, folder, first } of PICTURES) {
		const { scale, ...viewport } = SIZES[size];
		const context = await browser.newContext({
			baseURL: origin,
			viewport,
			deviceScaleFactor: scale,
			colorScheme: scheme ?? "light",
			reducedMotion: "reduce",
			serviceWorkers: "block",
		});
		const page = await context.newPage();
		await page.clock.setFixedTime(NOW);
		await page.goto("/api/login");
		await page.getByLabel("Email").fill(CAST[who].email);
		await page.getByRole("button", { name: "Sign In", exact: true }).click();
		await page.waitForURL((url) => url.pathname !== "/api/login");
		const answer = await page.goto(path);
		if (!answer?.ok()) throw new Error(`${path} answered ${answer?.status()}`);
		await page.waitForLoadState("networkidle");
		await first?.(page);
		const shot = sharp(await page.screenshot());
		// A palette is enough for screens in flat colors. Sharp would round 128 colors down to 16.
		const picture = folder
			? await shot.webp({ quality: 65, effort: 6 }).toBuffer()
			: await shot.png({ palette: true, colors: 256, effort: 10 }).toBuffer();
		writeFileSync(join(folder ?? FOLDER, `${name}.${folder ? "webp" : "png"}`), picture);
		bytes += picture.byteLength;
		await context.close();
	}
	console.log(`${PICTURES.length} screenshots, ${bytes} bytes`);
	if (bytes > MAX_BYTES) throw new Error(`They are larger than ${MAX_BYTES} bytes together.`);
} finally {
	await browser.close();
	await worker.dispose();
}
