/** The filters of the emails and of the lists of people, as plain forms; accountants search people. */
import { beforeAll, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
let vera: Client;

beforeAll(async () => {
	const person = { email: "vera@milepost.test", firstName: "Vera", lastName: "Viewer" };
	await ada.call("POST", "/api/admin/create", { ...person, role: "viewer" });
	vera = await fleet.client().signIn(person.email);
	await fleet.sql("delete from mails");
	// 300 of each status, every third of Omar's; each third failure may have been sent.
	await fleet.sql(
		`insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, may_have_been_sent, created_at, send_after, dedupe_key)
			with recursive n(i) as (select 0 union all select i + 1 from n where i < 1199)
			select printf('40000000-0000-4000-8000-%012d', i), 'invitation', iif(i % 3, null, ?), 'x@milepost.test', 'Mail ' || i, 'b', 'a',
				case i % 4 when 0 then 'failed' when 1 then 'sent' when 2 then 'cancelled' else 'queued' end,
				i % 12 = 0, 1000 + i, 5000 + i / 8, 'filter-' || i from n`,
		idOf("omar"),
	);
});

async function read(client: Client, path: string) {
	const answer = await client.get(path);
	const { trips, rows } = costOf(answer);
	expect([path, answer.status, trips]).toEqual([path, 200, 1]);
	expect(rows, path).toBeLessThan(900);
	return answer.text;
}
const numbersIn = (text: string) =>
	[...text.matchAll(/Mail (\d+)</g)].map(([, number]) => Number(number));

/** The numbers of a list's emails, over all its pages. */
async function emailsOf(query: string): Promise<number[]> {
	const found: number[] = [];
	for (let path: string | undefined = `/email${query}`; path; ) {
		const text = await read(ada, path);
		found.push(...numbersIn(text));
		path = /href="(\/email\?[^"]+)"[^>]*>Next page</.exec(text)?.[1]?.replaceAll("&amp;", "&");
	}
	return found;
}
const EVERY = Array.from({ length: 1200 }, (_, at) => 1199 - at);

it.each<[string, (number: number) => boolean]>([
	["?status=failed", (each) => each % 4 === 0 && each % 12 !== 0],
	["?status=uncertain", (each) => each % 12 === 0],
	["?status=cancelled", (each) => each % 4 === 2],
	[`?recipient=${idOf("omar")}`, (each) => each % 3 === 0],
	[`?recipient=${idOf("omar")}&status=queued`, (each) => each % 12 === 3],
])("/email%s lists those emails once, newest first, over its pages", async (query, isListed) => {
	expect(await emailsOf(query)).toEqual(EVERY.filter(isListed));
});

it("the emails' form keeps what was chosen, and its notices lead to what they count", async () => {
	const path = `/email?recipient=${idOf("omar")}&status=cancelled`;
	const text = await read(ada, path);
	const form = formWith(text, "Apply");
	expect(form.fields).toMatchObject({ recipient: idOf("omar"), status: "cancelled" });
	expect(text).toContain('href="/email?status=failed"');
	expect(text).toContain('href="/email?status=uncertain"');
	expect(await read(ada, `/email?recipient=${idOf("dana")}`)).toContain("No emails found");
	// What no form offers is ignored.
	expect(numbersIn(await read(ada, "/email?status=nonsense&recipient=x"))).toHaveLength(50);
});

it("an email that is resent leads back to the same filter", async () => {
	const [form] = formsIn(await read(ada, "/email?status=uncertain")).filter(
		({ fields }) => fields.id,
	);
	if (!form) return expect.unreachable();
	const answer = await ada.post(form.action, form.fields);
	expect(answer.headers.get("Location")).toBe(`/email?status=uncertain#mail-${form.fields.id}`);
});

/** The lists that a page of people shows, with the names in each. */
const listsOf = (text: string) =>
	Object.fromEntries(
		[...text.matchAll(/<h2 id="(\w+)"[\s\S]*?<\/section>/g)].map(([section, id]) => [
			id,
			[...section.matchAll(/<(?:li|tr) id="row-[\s\S]*?<bdi>([^<]*)</g)].map(([, name]) => name),
		]),
	);

it.each<[string, Record<string, string[]>]>([
	["?search=nguyen", { active: ["Łena Nguyễn"] }],
	["?search=DRV-4", { inactive: ["Ivan Inactive"] }],
	["?search=rex@", { rejected: ["Rex Refused"] }],
	["?search=n", { pending: ["Nora Newcomer"], active: ["Łena Nguyễn"] }],
	["?search=n&show=pending", { pending: ["Nora Newcomer"] }],
	["?search=vera", { administrators: ["Vera Viewer"] }],
	["?show=inactive", { inactive: ["Ivan Inactive"] }],
	["?search=zzz", {}],
])("/drivers%s finds people in the lists they stand in", async (query, lists) => {
	for (const client of [ada, vera]) {
		const text = await read(client, `/drivers${query}`);
		expect(listsOf(text)).toEqual(lists);
		if (query.endsWith("zzz")) expect(text).toContain("No matches for &quot;zzz&quot;");
	}
});

it("a row's change and its dialog keep the search", async () => {
	const text = await read(ada, "/drivers?search=omar");
	expect(formWith(text, "Apply").fields).toMatchObject({ search: "omar", show: "all" });
	const rows = formsIn(text).find(({ fields }) => fields.search === "omar" && !("show" in fields));
	expect(rows?.action).toBe("/drivers");
	const dialog = await read(ada, `/drivers?search=omar&dialog=rename&id=${idOf("omar")}`);
	const rename = formWith(dialog, "Save");
	const answer = await ada.post(rename.action, { ...rename.fields, lastName: "Okafor-Ade" });
	expect(answer.headers.get("Location")).toBe(`/drivers?search=omar#row-${idOf("omar")}`);
	// Whoever is added is shown among everyone.
	expect(formWith(text, "Add Driver").fields).toEqual({ dialog: "add-driver" });
});
