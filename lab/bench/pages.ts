/**
 * `npm run bench -- pages`: the exact figures. The size of the Worker, and for each page and API
 * route its gzipped bytes and database cost.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "../../tools/bundle.ts";
import { openSite } from "./site.ts";
import type { Figure } from "./table.ts";

type Subject = {
	readonly who: "dana" | "ada";
	readonly path: string;
	/** Bytes of HTML and styles, gzipped. */
	readonly bytes?: number;
	readonly rows: number;
};

const LIST_ROWS = 300;
const RANKING_ROWS = 600;
/** A list without a kept total is counted, up to 500 rows. */
const COUNTED_ROWS = LIST_ROWS + 501;
const page = (path: string): Subject => ({ who: "dana", path, bytes: 14_336, rows: LIST_ROWS });
const screen = (path: string, rows = LIST_ROWS): Subject => ({
	who: "ada",
	path,
	bytes: 20_480,
	rows,
});
const json = (path: string): Subject => ({ who: "dana", path, rows: LIST_ROWS });
const SUBJECTS: readonly Subject[] = [
	...["/", "/mileage", "/requests", "/history"].map(page),
	screen("/", RANKING_ROWS),
	screen("/mileage-reports", RANKING_ROWS),
	screen("/reports", RANKING_ROWS),
	screen("/fund-requests", COUNTED_ROWS),
	...["/fund-requests?status=pending", "/drivers", "/uber-fees", "/payouts"].map((path) =>
		screen(path),
	),
	...["/api/auth/user", "/api/mileage?limit=20", "/api/fund-requests?limit=20"].map(json),
];

const gzippedSize = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).byteLength;

async function sizes(): Promise<Figure[]> {
	await bundle("production");
	return [
		["the Worker", "worker"],
		["scripts and styles", "client/assets"],
	].map(([what = "", kind = ""]) => {
		const folder = join("build/production", kind);
		const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
		const figure = names.reduce(
			(sum, name) => sum + gzippedSize(readFileSync(join(folder, name))),
			0,
		);
		return { what: `${what}, ${names.length} files gzipped`, figure, unit: "bytes" as const };
	});
}

export async function benchPages(): Promise<readonly Figure[]> {
	const figures = await sizes();
	const site = await openSite({ hasFleet: true });
	const cookies = { dana: await site.signIn("dana"), ada: await site.signIn("ada") };
	for (const { who, path, bytes, rows } of SUBJECTS) {
		const answer = await fetch(site.origin + path, { headers: { Cookie: cookies[who] } });
		const weight = gzippedSize(new Uint8Array(await answer.arrayBuffer()));
		const cost = answer.headers.get("Server-Timing") ?? "";
		const [, trips = "", statements = "", read = ""] =
			/(\d+) trips?, (\d+) statements?, (\d+) rows?/.exec(cost) ?? [];
		if (!answer.ok || !trips) throw new Error(`${path} answered ${answer.status}, ${cost}`);
		const whose = `${path}, ${who === "ada" ? "administrator" : "driver"}`;
		figures.push(
			{
				what: `${whose}, gzipped`,
				figure: weight,
				unit: "bytes",
				...(bytes === undefined ? {} : { budget: bytes }),
			},
			{ what: whose, figure: Number(trips), unit: "trips", budget: 1 },
			{ what: whose, figure: Number(statements), unit: "statements" },
			{ what: whose, figure: Number(read), unit: "rows", budget: rows },
		);
	}
	await site.worker.dispose();
	return figures;
}
