/** GET /manifest.webmanifest: makes Milepost installable, under the fleet's own name. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

export function loader({ context }: LoaderFunctionArgs) {
	const { appName } = context.settings;
	const icon = (src: string, sizes: string, purpose = "any") => ({
		src,
		sizes,
		type: src.endsWith(".svg") ? "image/svg+xml" : "image/png",
		purpose,
	});
	const shortcut = (name: string, url: string) => ({
		name,
		url,
		icons: [icon("/icon-192.png", "192x192")],
	});
	const manifest = {
		id: "/",
		name: appName,
		short_name: appName.slice(0, 12).trim(),
		description: "Log daily mileage and request funds with a receipt, online or offline.",
		lang: "en",
		start_url: "/",
		scope: "/",
		display: "standalone",
		background_color: "#f5f7fa",
		theme_color: "#1256b8",
		categories: ["business", "productivity"],
		icons: [
			icon("/icon.svg", "any"),
			icon("/icon-192.png", "192x192"),
			icon("/icon-512.png", "512x512"),
			icon("/icon-maskable-512.png", "512x512", "maskable"),
		],
		shortcuts: [shortcut("Log Mileage", "/mileage"), shortcut("Fund Request", "/requests")],
	};
	return new Response(JSON.stringify(manifest), {
		headers: { "Content-Type": "application/manifest+json", "Cache-Control": "no-cache" },
	});
}
