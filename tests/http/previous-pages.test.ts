/**
 * Every list can be paged back: its pages read backwards from the last one are the same as
 * forwards.
 */
import { beforeAll, expect, it } from "vitest";
import { CAST, type CastName, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { dayOf, daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const clients = new Map<CastName, Client>();

/** The numbers from 0 as rows of a table `n(i)`. */
const numbers = (count: number) =>
	`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
const uuid = (prefix: number) => `printf('${prefix}0000000-0000-4000-8000-%012d', i)`;

beforeAll(async () => {
	const noon = currentTime() - 43_200_000;
	// Several rows share each timestamp and day, so pages split rows that only their ids tell apart.
	await fleet.sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash)
		${numbers(130)} select ${uuid(1)}, 9000 + i, '${idOf("lena")}', 'gas', 100 + i, 'x', 'pending', 'seed',
			${noon} - (i / 3) * 3600000, '${dayOf(noon)}', 'x' from n`);
	await fleet.sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, gap_miles)
		${numbers(140)} select ${uuid(2)}, '${idOf("lena")}', date('${daysAgo(1)}', '-' || (i / 5) || ' days'), 800000 - i * 10, 800005 - i * 10,
			'seed', ${noon}, 'x', 5 from n`);
	await fleet.sql(`insert into uber_fees (id, driver_id, charged_on, category, amount_cents, added_by, created_at, payload_hash)
		${numbers(80)} select ${uuid(3)}, '${idOf("lena")}', date('${daysAgo(1)}', '-' || (i / 4) || ' days'), 'other', 100,
			'${idOf("ada")}', ${noon} - (i / 2), 'x' from n`);
	await fleet.sql(`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		${numbers(130)} select ${uuid(4)}, 'invitation', 'x@milepost.test', 'x', 'b', 'a', 'sent', i / 3, i, 'paged-' || i from n`);
	await fleet.sql(`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
		${numbers(150)} select ${noon} - i / 3, '${idOf("ben")}', 'admin', iif(i % 7, 'user.activate', 'user.deactivate'), 'user', '${idOf("omar")}' from n`);
	await fleet.sql(`insert into users (id, role, first_name, last_name, email, approval_status, is_active, created_at, driver_number, approved_at, applied_at)
		${numbers(130)} select ${uuid(5)}, 'driver', 'Same', 'Name', i || '@many.test', 'approved', 1, 1, 5000 + i, 1, 1 from n`);
	for (const name of ["ada", "lena"] as const) clients.set(name, await fleet.as(name));
});

/** The rows and links of a part of a page. */
function read(text: string, part: RegExp) {
	const section = part.exec(text)?.[0] ?? "";
	const link = (words: RegExp) =>
		new RegExp(`href="([^"#]+)[^"]*"[^>]*>(?:${words.source})<`)
			.exec(section)?.[1]
			?.replaceAll("&amp;", "&");
	return {
		rows: [...section.matchAll(/<(?:tr|li) id="([a-z]+-[^"]+)"/g)].map(([, id]) => id),
		next: link(/Next page|Older requests|Search further back/),
		previous: link(/Previous page|Newer requests/),
		first: link(/First page|Newest requests/),
	};
}

const PAGE = /[\s\S]*/;
const section = (id: string) => new RegExp(`<h2 id="${id}"[\\s\\S]*?</section>`);

it.each<[string, CastName, string, RegExp]>([
	["requests to decide", "ada", "/fund-requests", PAGE],
	["requests to decide, oldest first", "ada", "/fund-requests?status=pending&order=oldest", PAGE],
	["fees", "ada", "/uber-fees", PAGE],
	["emails", "ada", "/email", PAGE],
	["sent emails", "ada", "/email?status=sent", PAGE],
	["the audit", "ada", "/audit", PAGE],
	["the audit of one person", "ada", `/audit?person=${idOf("omar")}`, PAGE],
	["active drivers", "ada", "/drivers", section("active")],
	["drivers by miles", "ada", "/mileage-reports", section("performance")],
	["flagged entries", "ada", "/mileage-reports", section("entries")],
	["one driver's entries", "ada", `/mileage-reports?driver=${idOf("lena")}`, section("entries")],
	["a driver's requests", "lena", "/requests", PAGE],
	["a driver's history", "lena", "/history", PAGE],
	["a driver's trips", "lena", "/history?type=mileage", PAGE],
	["a driver's history of requests", "lena", "/history?type=requests", PAGE],
])("%s", async (_, name, start, part) => {
	const client = clients.get(name);
	if (!client) throw new Error(`${CAST[name].email} isn't signed in`);
	const pages: ReturnType<typeof read>[] = [];
	const open = async (url: string) => {
		const { status, text, headers } = await client.get(url);
		expect(status).toBe(200);
		expect(headers.get("Server-Timing"), url).toContain("1 trip,");
		return read(text, part);
	};
	for (let url: string | undefined = start; url; url = pages.at(-1)?.next) {
		pages.push(await open(url));
		expect(pages.length).toBeLessThan(30);
	}
	expect(pages.length).toBeGreaterThan(2);
	expect(pages[0]).toMatchObject({ previous: undefined, first: undefined });
	const rows = pages.flatMap((page) => page.rows);
	expect(new Set(rows).size).toBe(rows.length);

	for (let position = pages.length - 1; position > 0; position--) {
		const back = await open(pages[position]?.previous ?? "");
		expect(back.rows, `the page before page ${position + 1}`).toEqual(pages[position - 1]?.rows);
		// Going forward again leads to the same page.
		expect((await open(back.next ?? "")).rows).toEqual(pages[position]?.rows);
		if (position > 1) pages[position - 1] = { ...back, next: pages[position - 1]?.next };
	}
	expect(await open(pages[1]?.first ?? "")).toEqual(pages[0]);
});

it("pages back through a list that two filters make sparse", async () => {
	const client = clients.get("ada") as Client;
	const start = `/audit?person=${idOf("omar")}&kind=user.deactivate`;
	const seen: string[] = [];
	let last = start;
	for (let url: string | undefined = start; url; ) {
		const page = read((await client.get(url)).text, PAGE);
		seen.push(...page.rows.filter((id) => id !== undefined));
		last = url;
		url = page.next;
	}
	expect(seen.length).toBeGreaterThan(20);
	const back: string[] = [];
	for (let url: string | undefined = last; url; ) {
		const page = read((await client.get(url)).text, PAGE);
		back.unshift(...page.rows.filter((id) => id !== undefined));
		url = page.previous;
	}
	expect(back).toEqual(seen);
});

it("an email that is resent is shown on its page again", async () => {
	await fleet.sql("update mails set status = 'failed' where dedupe_key = 'paged-10'");
	const ada = await fleet.as("ada");
	const nextOf = async (url: string) => read((await ada.get(url)).text, PAGE).next ?? "";
	const last = await nextOf(await nextOf("/email"));
	const form = formWith((await ada.get(last)).text, "Send again");
	const answer = await ada.post(form.action, form.fields);
	expect(answer.headers.get("Location")).toBe(`${last}#mail-${form.fields.id}`);
});
