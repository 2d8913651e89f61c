/**
 * What an accountant's screens offer: nothing that the permission matrix would refuse, at any address
 * of theirs, including those that open a dialog for an administrator.
 */
import { beforeAll, expect, it } from "vitest";
import { findRule } from "../../app/routing/routes.ts";
import { idOf } from "../support/cast.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { rowButtonsIn } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { LINES } from "../support/permission-matrix.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow, type Sql } from "../support/rows.ts";
import { insertWeek, settlementId } from "../support/settlements.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql: Sql = (query, ...values) => fleet.sql(query, ...values);

/** Posts that an accountant may send: to their own account, and for a report. */
const POSTS = ["/account", "/api/logout", "/reports/generate", "/reports/mileage-log"];
/** A week with drafts and a published settlement. */
const WEEK = "2026-10-05";
/** Dialogs that only show something. */
const READ = ["receipt", "timeline"];

let vera: Client;
let ada: Client;
let addresses: readonly string[];
beforeAll(async () => {
	ada = await fleet.as("ada");
	const person = { email: "vera@milepost.test", firstName: "Vera", lastName: "Viewer" };
	const made = await ada.call("POST", "/api/admin/create", { ...person, role: "viewer" });
	expect(made.status).toBe(201);
	vera = await fleet.client().signIn(person.email);
	await ada.call("POST", "/api/admin/create", {
		...person,
		email: "invited.admin@milepost.test",
		role: "admin",
	});
	const pending = await insertRequest(sql, 901, "dana", { receipt_name: "fuel.jpg" });
	const decided = await insertApproved(sql, 902, "dana", 45_00);
	const [paid, open] = [
		await gather(ada, { requestIds: [decided] }),
		await gather(ada, { requestIds: [await insertApproved(sql, 903, "omar", 20_00)] }),
	];
	await ada.call("PUT", `/api/payouts/${paid.id}`, { status: "paid", paidOn: daysAgo(0) });
	const reopenable = await insertApproved(sql, 904, "omar", 30_00);
	const trip = await insertLog(sql, 905, "dana", daysAgo(1), 400);
	const fee = await insertFee(sql, 906, "dana", daysAgo(1));
	await insertRow(sql, "fee_imports", {
		id: "70000000-0000-4000-8000-000000000001",
		added_by: idOf("ada"),
		created_at: 1,
		file_name: "fees.csv",
		row_count: 1,
		payload_hash: "x",
	});
	await insertRow(sql, "platform_drivers", {
		id: "70000000-0000-4000-8000-000000000002",
		platform: "uber",
		platform_id: "platform-1",
		name: "D. Driver",
		driver_id: idOf("dana"),
		added_by: idOf("ada"),
		created_at: 1,
	});
	await insertWeek(sql, WEEK);
	const [dana, ivan, nora, rex] = [idOf("dana"), idOf("ivan"), idOf("nora"), idOf("rex")];
	const [first] = await fleet.sql<{ id: string }>("select id from users where email like 'vera%'");
	addresses = [
		"/",
		"/account",
		"/audit",
		"/find",
		"/reports",
		"/fund-requests",
		"/fund-requests?status=all",
		"/fund-requests?open=FR-000901",
		"/fund-requests?open=FR-000904",
		...["approve", "reject", "ask", "receipt", "timeline"].map(
			(dialog) => `/fund-requests?dialog=${dialog}&id=${pending}`,
		),
		`/fund-requests?status=all&dialog=reopen&id=${reopenable}`,
		`/fund-requests?status=all&dialog=timeline&id=${reopenable}`,
		`/fund-requests?dialog=bulk&ids=${pending}`,
		"/fund-requests?dialog=bulk",
		"/mileage-reports",
		`/mileage-reports?driver=${dana}`,
		`/mileage-reports?driver=${dana}&dialog=void&id=${trip}`,
		"/uber-fees",
		...["edit", "delete"].map((dialog) => `/uber-fees?dialog=${dialog}&id=${fee}`),
		"/uber-fees/import",
		"/uber-fees/import?statement=70000000-0000-4000-8000-000000000003",
		"/payouts",
		"/payouts?choose=all",
		`/payouts?choose=${idOf("omar")}`,
		...[open, paid].flatMap(({ id }) => [
			`/payouts/${id}`,
			...["cancel", "reopen"].map((dialog) => `/payouts/${id}?dialog=${dialog}`),
		]),
		`/settlements?week=${WEEK}`,
		`/settlements?week=${WEEK}&select=all`,
		...[1, 2].flatMap((number) => [
			`/settlements/${settlementId(number)}`,
			...["publish", "void"].map(
				(dialog) => `/settlements/${settlementId(number)}?dialog=${dialog}`,
			),
		]),
		"/drivers",
		...["add-driver", "add-many", "create-admin"].map((dialog) => `/drivers?dialog=${dialog}`),
		...["rename", "delete"].map((dialog) => `/drivers?dialog=${dialog}&id=${dana}`),
		`/drivers?dialog=deactivate&id=${idOf("ben")}`,
		...[dana, ivan, nora, rex, idOf("ines"), idOf("ben"), first?.id ?? ""].flatMap((id) => [
			`/drivers/${id}`,
			...["rename", "delete", "deactivate", "pseudonymize"].map(
				(dialog) => `/drivers/${id}?dialog=${dialog}`,
			),
		]),
	];
});

const attributeOf = (tag: string, name: string) =>
	new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&");

const pathOf = (address: string) => address.replace(/[?#].*/, "");
/** What the matrix says that an accountant gets for a request. */
const cellOf = (method: string, address: string) => {
	const { path } = findRule(pathOf(address));
	return LINES.find((line) => line.path === path && line.method === method)?.cells.A ?? "404";
};
const isRefused = (method: string, address: string) => Number(cellOf(method, address)) >= 400;

/** What a page offers: the requests that its forms and links send, and the boxes to tick. */
function offersIn(
	html: string,
	here: string,
): { posts: string[]; visits: string[]; ticks: number } {
	const forms = [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(
		([, tag = "", body = ""]) => {
			const fields = [...body.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);
			const dialog = fields.find((input) => attributeOf(input, "name") === "dialog");
			const action = attributeOf(` ${tag}`, "action") ?? here;
			return {
				method: attributeOf(` ${tag}`, "method") ?? "get",
				address: dialog ? `${action}?dialog=${attributeOf(dialog, "value")}` : action,
			};
		},
	);
	const links = [...html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attributeOf(tag, "href") ?? "");
	return {
		posts: forms.flatMap(({ method, address }) => (method === "post" ? [address] : [])),
		visits: [
			...forms.flatMap(({ method, address }) => (method === "get" ? [address] : [])),
			...rowButtonsIn(html).map(
				({ address, dialog }) => `${address.split("?")[0]}?dialog=${dialog}`,
			),
			...links.filter((href) => href.startsWith("/")),
		],
		ticks: [...html.matchAll(/type="checkbox"/g)].length,
	};
}

it("offers nothing that would be refused, on any page of the office", async () => {
	const found: string[] = [];
	const visited = new Set<string>();
	for (const address of addresses) {
		const { status, text } = await vera.get(address, { mayFail: true });
		visited.add(findRule(pathOf(address)).path);
		if (status !== 200) found.push(`${address} answers ${status}`);
		const { posts, visits, ticks } = offersIn(text, address);
		for (const post of posts)
			if (isRefused("POST", post) || !POSTS.includes(pathOf(post)))
				found.push(`${address} posts to ${post}`);
		for (const visit of visits) {
			if (isRefused("GET", visit)) found.push(`${address} leads to ${visit}`);
			const dialog = new URL(visit, "http://x").searchParams.get("dialog");
			if (dialog !== null && !READ.includes(dialog)) found.push(`${address} opens ${visit}`);
		}
		if (ticks > 0) found.push(`${address} has ${ticks} boxes to tick`);
	}
	expect([...new Set(found)]).toEqual([]);
	const pages = LINES.filter(
		({ kind, method, path, cells }) =>
			kind === "page" &&
			method === "GET" &&
			cells.A === "200" &&
			cells.V === "401" &&
			!/\.\w+$/.test(path),
	).map(({ path }) => path);
	expect([...visited].sort()).toEqual(["/", ...pages].sort());
});

it("offers an administrator something to change at most of the same addresses", async () => {
	const changing = [];
	for (const address of addresses) {
		const { posts, ticks } = offersIn((await ada.get(address)).text, address);
		if (posts.some((post) => !POSTS.includes(pathOf(post))) || ticks > 0) changing.push(address);
	}
	expect(changing.length).toBeGreaterThan(addresses.length * 0.75);
});

it("shows in the navigation only what an accountant may open", async () => {
	const { text } = await vera.get("/");
	const nav = /<nav\b[^>]*aria-label="Main"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
	const paths = [...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
	expect([...new Set(paths)]).toEqual([
		"/",
		"/fund-requests",
		"/mileage-reports",
		"/uber-fees",
		"/drivers",
		"/reports",
		"/settlements",
		"/payouts",
		"/audit",
	]);
	expect(text).toContain("Accountant Portal");
});

it("shows accountants among the administrators, and what they are on their own page", async () => {
	const [row] = await fleet.sql<{ id: string }>("select id from users where email like 'vera%'");
	const list = (await ada.get("/drivers")).text;
	const shown = list.slice(list.indexOf(`id="row-${row?.id}"`));
	expect(shown.slice(0, shown.indexOf("</tr>"))).toMatch(
		/Vera Viewer[\s\S]*Accountant[\s\S]*Deactivate/,
	);
	expect((await ada.get(`/drivers/${row?.id}`)).text).toContain("Accountant");
});

it("is made, deactivated and activated by the forms, which say so", async () => {
	const dialog = await ada.get("/drivers?dialog=create-admin");
	expect(dialog.text).toContain('<option value="viewer">Accountant (can only look)</option>');
	const form = {
		intent: "create-admin",
		email: "vic@milepost.test",
		firstName: "Vic",
		lastName: "Viewer",
	};
	const made = await ada.postAndFollow("/drivers", { ...form, role: "viewer" });
	expect(made.text).toContain("Vic Viewer has been invited as an accountant.");
	const [row] = await fleet.sql<{ id: string }>("select id from users where email like 'vic%'");
	const id = row?.id ?? "";
	expect((await ada.get(`/drivers?dialog=deactivate&id=${id}`)).text).toContain(
		"Deactivate Accountant",
	);
	const ended = await ada.postAndFollow("/drivers", { intent: "deactivate", id });
	expect(ended.text).toContain("Accountant Deactivated");
	const back = await ada.postAndFollow("/drivers", { intent: "activate", id });
	expect(back.text).toContain("Accountant Activated");
	const refused = await ada.post("/drivers", { ...form, email: "other@milepost.test", role: "x" });
	expect(refused.status).toBe(400);
	expect(refused.text).toContain("Choose administrator or accountant");
});
