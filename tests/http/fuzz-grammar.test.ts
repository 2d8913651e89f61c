/** The fuzzer's grammar knows every field and intent of every form that the screens show. */
import { expect, it } from "vitest";
import { findRule } from "../../app/routing/routes.ts";
import { fieldsOf, QUERY_NAMES } from "../../lab/torture/fuzz/grammar.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formsIn, rowButtonsIn } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = fleet.sql.bind(fleet);
const MAX_PAGES = 150;

/** The pages that links lead to, once per address without its values. */
async function crawl(client: Client): Promise<{ path: string; text: string }[]> {
	const pages: { path: string; text: string }[] = [];
	const seen = new Set<string>();
	const waiting = ["/"];
	for (let path = waiting.shift(); path && pages.length < MAX_PAGES; path = waiting.shift()) {
		const { text, headers } = await client.get(path, { mayFail: true });
		if (!headers.get("Content-Type")?.startsWith("text/html")) continue;
		pages.push({ path, text });
		const links = [
			...[...text.matchAll(/\shref="(\/[^"#]*)"/g)].map(([, href = ""]) => href),
			...rowButtonsIn(text).map(({ address }) => address),
			...[...text.matchAll(/<form\b[^>]*method="get"[\s\S]*?<\/form>/g)].map(([form]) => {
				const [found] = formsIn(form);
				return found ? `${found.action}?${new URLSearchParams(found.fields)}` : "";
			}),
		];
		for (const link of links.map((each) => each.replaceAll("&amp;", "&"))) {
			const url = new URL(link, fleet.origin);
			const shape = `${findRule(url.pathname).path}?${[...url.searchParams].map(([name, value]) => (name === "dialog" ? value : name)).sort()}`;
			if (seen.has(shape) || /logout|\.(css|js|png|svg|webmanifest)/.test(link)) continue;
			seen.add(shape);
			waiting.push(url.pathname + url.search);
		}
	}
	return pages;
}

it("knows every field and intent of every form", async () => {
	await insertRequest(sql, 901, "dana");
	await insertRequest(sql, 902, "dana", { question: "asked" });
	await insertLog(sql, 900, "dana", daysAgo(0), 40);
	await insertFee(sql, 900, "dana", daysAgo(0));
	await insertApproved(sql, 903, "omar", 1234);
	await gather(await fleet.as("ada"), { all: true });
	await insertApproved(sql, 904, "omar", 1234);
	const unknown = new Set<string>();
	let forms = 0;
	for (const name of ["dana", "ada"] as const) {
		const pages = await crawl(await fleet.as(name));
		expect(pages.length).toBeGreaterThan(8);
		for (const { from, action, fields, html } of pages.flatMap(({ path, text }) =>
			formsIn(text).map((form) => ({ ...form, from: path })),
		)) {
			forms += 1;
			const rule = findRule(new URL(action, fleet.origin + from).pathname);
			const isPost = /^<form\b[^>]*\smethod="post"/.test(html);
			const { names, intents = [] } = fieldsOf(rule);
			const known: readonly string[] = isPost ? [...names, "intent", "asUser"] : QUERY_NAMES;
			for (const field of Object.keys(fields))
				if (!known.includes(field))
					unknown.add(`${isPost ? "POST" : "GET"} ${rule.path}: ${field}`);
			const { intent } = fields;
			if (isPost && intent !== undefined && !intents.includes(intent))
				unknown.add(`POST ${rule.path}: intent ${intent}`);
		}
	}
	expect(forms).toBeGreaterThan(50);
	expect([...unknown].sort()).toEqual([]);
});
