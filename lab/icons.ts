/**
 * `node tools/run.mjs icons`: renders the installed app's icons from public/icon.svg in a browser.
 * Run it when the drawing changes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { findBrowser } from "../tools/browser.ts";

const svg = readFileSync("public/icon.svg", "utf8");
/**
 * A maskable icon may be cropped to any shape, so its background fills the square and its drawing
 * stays within the middle 80%.
 */
const maskable = svg
	.replace(/<rect[^>]*>/, '<rect width="64" height="64" fill="#1256b8"/>')
	.replace(/<path/, '<path transform="translate(9.6 9.6) scale(.7)"');

/** A picture of 32 pixels as an .ico file with a single PNG in it, for what asks only for that. */
function toIco(png: Buffer): Buffer {
	const head = Buffer.alloc(22);
	// One icon; then its width, height, planes, bits per pixel, bytes, and where they start.
	head.writeUInt16LE(1, 2);
	head.writeUInt16LE(1, 4);
	head.writeUInt8(SMALL, 6);
	head.writeUInt8(SMALL, 7);
	head.writeUInt16LE(1, 10);
	head.writeUInt16LE(32, 12);
	head.writeUInt32LE(png.length, 14);
	head.writeUInt32LE(head.length, 18);
	return Buffer.concat([head, png]);
}

const SMALL = 32;
const ICONS = [
	["favicon.ico", svg, SMALL],
	["icon-192.png", svg, 192],
	["icon-512.png", svg, 512],
	["icon-maskable-512.png", maskable, 512],
] as const;

const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
for (const [name, drawing, size] of ICONS) {
	const page = await browser.newPage({ viewport: { width: size, height: size } });
	await page.setContent(
		`<body style="margin:0">${drawing.replace("<svg", `<svg width="${size}" height="${size}" style="display:block"`)}</body>`,
	);
	const png = await page.screenshot({ omitBackground: true });
	writeFileSync(`public/${name}`, name.endsWith(".ico") ? toIco(png) : png);
	await page.close();
}
await browser.close();
console.log(`Drawn: ${ICONS.map(([name]) => name).join(", ")}`);
