/**
 * Requests to every path by every kind of person, and checks of the responses. Importing this
 * starts its fleet, for tests/http/matrix.test.ts only.
 */

import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { insertCharge } from "./agreements.ts";
import { CAST, idOf } from "./cast.ts";
import { insertFee } from "./fees.ts";
import { daysAgo } from "./fleet-days.ts";
import { insertLog } from "./mileage.ts";
import { gather, insertApproved } from "./payouts.ts";
import {
	type Column,
	LINES,
	type Line,
	PRINCIPALS,
	type Principal,
	type PrincipalName,
} from "./permission-matrix.ts";
import { insertRequest } from "./requests.ts";
import type { Sql } from "./rows.ts";
import { insertSettlement, insertWeekMessage, published } from "./settlements.ts";
import { insertToken } from "./tokens.ts";
import { insertWebhook } from "./webhooks.ts";
import { type Answer, Client, openFleet } from "./worker.ts";

export const fleet = await openFleet();
const sql: Sql = (query, ...values) => fleet.sql(query, ...values);

let made = 0;
type Person = { readonly client: Client; readonly own: readonly string[]; readonly email: string };

/** A new person of that kind, signed in. */
export async function newPerson(name: PrincipalName): Promise<Person> {
	const principal: Principal = PRINCIPALS[name];
	made += 1;
	const email = `matrix${made}x@milepost.test`;
	const client = fleet.client();
	if (principal.role === undefined) return { client, own: [], email };
	const id = newId();
	const lastName = `Matrix${made}x`;
	await fleet.sql(
		`insert into users (id, role, first_name, last_name, email, approval_status, created_at, applied_at, approved_at, is_viewer) values (?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
		id,
		principal.role,
		principal.firstName ?? "",
		principal.firstName ? lastName : "",
		email,
		principal.status ?? "",
		principal.firstName ? 1 : null,
		principal.status === "approved" ? 1 : null,
		principal.isViewer ? 1 : null,
	);
	await fleet.sql(
		"insert into identities (issuer, subject, user_id, created_at) values ('local-sign-in', ?, ?, 9e12)",
		email,
		id,
	);
	await client.signIn(email);
	if (name === "deactivated") await fleet.sql("update users set is_active = 0 where id = ?", id);
	const person = { own: [email, lastName], email };
	if (principal.token === undefined) return { ...person, client };
	const headers = { Authorization: `Bearer ${await insertToken(sql, id, principal.token)}` };
	const { worker, origin, lines } = fleet;
	const script = new Client({ worker, origin, lines, headers });
	for (const [cookie, value] of client.cookies) script.cookies.set(cookie, value);
	return { ...person, client: script };
}

const newId = () => `20000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;

/** A new driver or request to decide, toggle or delete. */
export async function target(path: string): Promise<string> {
	const id = newId();
	if (path.includes("payouts")) {
		await approved();
		return path.includes(":id") ? openPayout() : "";
	}
	if (path.includes("fund-requests"))
		return insertRequest((query, ...values) => fleet.sql(query, ...values), made, "dana");
	if (path.includes("uber-fees"))
		return insertFee((query, ...values) => fleet.sql(query, ...values), made, "dana", "2026-11-02");
	if (path.includes("settlements")) {
		const week = addDays(parseCalendarDate("2020-01-06"), 7 * made);
		const isThread = path.endsWith("/messages");
		const row = isThread || path.endsWith(".pdf") ? published(0) : {};
		const settlement = await insertSettlement(sql, made, "dana", week, row);
		if (isThread) await insertWeekMessage(sql, settlement, 1, "dana", "Why?");
		return settlement;
	}
	if (path.includes("charges")) return insertCharge(sql, made, "dana");
	if (path.includes("mileage-reports"))
		return insertLog(
			(query, ...values) => fleet.sql(query, ...values),
			made,
			"dana",
			"2026-11-02",
			40,
		);
	const isPending = /\/(approve|reject)$/.test(path);
	await fleet.sql(
		"insert into users (id, role, first_name, last_name, email, approval_status, created_at, applied_at, approved_at) values (?, 'driver', 'Tina', 'Target', ?, ?, 1, 1, ?)",
		id,
		`target${made}x@milepost.test`,
		isPending ? "pending" : "approved",
		isPending ? null : 1,
	);
	return id;
}

/** An approved request to pay. */
const approved = () =>
	insertApproved((query, ...values) => fleet.sql(query, ...values), made, "dana", 12_50);
/** An open payout. */
const openPayout = async () => (await gather(await fleet.as("ada"), { all: true })).id;
made += 1;
await approved();
const payoutId = await openPayout();
const draftId = await target("/api/settlements/:id");
const publishedId = await target("/settlements/:id.pdf");
const webhook = await insertWebhook(sql);

const URLS: Readonly<Record<string, string>> = {
	"*": "/no-such-page",
	"/api/*": "/api/no-such-call",
	"/history/tax-year": "/history/tax-year?year=2026&format=xlsx",
	"/history/year-summary": "/history/year-summary?year=2026&format=csv",
};
/** The path with its ids filled in; a request that must be refused names an existing person. */
export const urlOf = (path: string, id: string = idOf("nora")) =>
	URLS[path] ?? path.replace(":id", id === idOf("nora") ? existingId(path) : id);
function existingId(path: string): string {
	if (path.includes("payouts")) return payoutId;
	if (path === "/settlements/:id.pdf") return publishedId;
	return path.includes("settlements") ? draftId : idOf("nora");
}

type Body = Readonly<Record<string, string | readonly string[]>>;

/** The body of a genuine request to a route. */
export function bodyOf(path: string, email: string, id = ""): Body {
	made += 1;
	const names = { firstName: "New", lastName: `Name${made}x` };
	const trip = {
		date: "2026-11-02",
		startOdometer: String(1000 + made),
		endOdometer: String(1010 + made),
		purpose: "Airport",
		personalMiles: "3",
	};
	switch (path) {
		case "/mileage":
		case "/api/mileage":
			return trip;
		case "/requests":
		case "/api/fund-requests":
			return { type: "gas", amount: "45.50", description: `Fuel ${made}`, spentOn: daysAgo(3) };
		case "/drivers":
			return { intent: "add-driver", email: `new${made}x@milepost.test`, ...names };
		case "/drivers/:id":
			return { intent: "delete" };
		case "/api/drivers":
		case "/api/admin/create":
			return { email: `new${made}x@milepost.test`, ...names };
		case "/uber-fees":
		case "/api/uber-fees":
			return { driverId: idOf("dana"), category: "other", amount: "12.50", date: "2026-11-02" };
		case "/api/agreements":
			return { driverId: idOf("dana"), from: "2026-11-02", faresPercent: "60" };
		case "/api/charges":
			return { driverId: idOf("dana"), kind: "toll", amount: "12.50", date: "2026-11-02" };
		case "/api/settlements":
			return { week: "2010-01-06", ids: [id || draftId], status: "void" };
		case "/api/settlements/:id":
			return { status: "void" };
		case "/reports/generate":
		case "/api/reports/generate":
			return { type: "driver", format: "csv", range: "last_month" };
		case "/reports/mileage-log":
			return { driverId: idOf("dana"), year: "2026", format: "excel" };
		case "/mileage-reports":
			return { intent: "void", id, reason: "Wrong van" };
		case "/uber-fees/import":
			return { intent: "undo", id: "" };
		case "/payouts":
			return { gather: "driver", driverId: idOf("dana") };
		case "/settlements":
			return { intent: "draft", week: "2020-01-06" };
		case "/settlements/:id":
			return { intent: "void" };
		case "/payouts/:id":
			return { intent: "cancel" };
		case "/api/payouts":
			return { driverId: idOf("dana") };
		case "/api/payouts/:id":
			return { status: "cancelled" };
		case "/fund-requests":
			return { intent: "process", id, status: "approved" };
		case "/api/fund-requests/:id":
			return { status: "rejected" };
		case "/api/fund-requests/:id/messages":
			return { text: `Which car, ${made}?` };
		case "/earnings/:id":
			return { intent: "write", text: `Why, ${made}?` };
		case "/api/settlements/:id/messages":
			return { text: `Because, ${made}` };
		case "/settings/tokens":
			return { name: `Script ${made}`, scope: "write", days: "30" };
		case "/settings/webhooks":
			return { intent: "switch-on", id: webhook.id };
		case "/settings":
			return { intent: "accounting", accountCode: String(made) };
		case "/account":
			return { remindOfMiles: "on" };
		case "/profile":
		case "/api/profile":
			return names;
		case "/api/login":
			return { email };
		default:
			return {};
	}
}

export function send(
	client: Client,
	kind: Line["kind"],
	method: string,
	url: string,
	body: Body,
): Promise<Answer> {
	if (method === "GET" || method === "HEAD") return client.request(url, { method, mayFail: true });
	const isForm = kind === "page";
	const hasBody = Object.keys(body).length > 0;
	return client.request(url, {
		method,
		mayFail: true,
		...(hasBody
			? {
					body: isForm
						? new URLSearchParams(body as Record<string, string>).toString()
						: JSON.stringify(body),
				}
			: {}),
		headers: hasBody
			? { "Content-Type": isForm ? "application/x-www-form-urlencoded" : "application/json" }
			: {},
	});
}

const GATES: Partial<Record<Column, string>> = {
	I: "Complete Your Profile",
	P: "Application Under Review",
	R: "Application Not Approved",
};
const DEACTIVATED = "Your account has been deactivated. Contact your fleet administrator.";

/** Data that a refusal must show to no one else: the fleet's names, emails and trips. */
const SECRETS = [
	...Object.values(CAST).flatMap(({ firstName, lastName, email }) => [
		`${firstName} ${lastName}`.trim(),
		email,
	]),
	...[
		"Okafor",
		"Nguyễn",
		"Newcomer",
		"Refused",
		"Inactive",
		"Invited",
		"Airport run",
		"DRV-0",
		"Target",
		"matrix",
		"Matrix",
	],
].filter((word) => word !== "");
function leaks(text: string, own: readonly string[]): string[] {
	const rest = own.reduce((left, word) => left.replaceAll(word, ""), text);
	return SECRETS.filter((word) => rest.includes(word));
}

/**
 * Public files, the same for everyone. Browsers may cache them but must revalidate each time,
 * except the speculation rules, which stay valid for a day.
 */
const PUBLIC_FILES: ReadonlyMap<string, string> = new Map([
	["/service-worker.js", "no-cache"],
	["/manifest.webmanifest", "no-cache"],
	["/speculation-rules.json", "public, max-age=86400"],
]);

/**
 * The differences between a response and its cell of the matrix, in words; empty if there are none.
 */
export function faultsOf(
	line: Line | undefined,
	cell: string,
	method: string,
	name: PrincipalName,
	answer: Answer,
	own: readonly string[],
): string[] {
	const faults: string[] = [];
	const { column } = PRINCIPALS[name];
	const isVisit = method === "GET" || method === "HEAD";
	const wanted = cell === "G" ? (isVisit ? 200 : 403) : Number(cell);
	if (answer.status !== wanted) faults.push(`answered ${answer.status}, not ${wanted}`);
	const isRefusal = cell === "G" || wanted >= 400;
	const leaked = isRefusal ? leaks(answer.text, own) : [];
	if (leaked.length > 0) faults.push(`shows ${leaked.join(", ")}`);
	const caching = answer.headers.get("Cache-Control") ?? "";
	const publicCaching = answer.status === 200 ? PUBLIC_FILES.get(line?.path ?? "") : undefined;
	if (publicCaching ? caching !== publicCaching : !/no-store/.test(caching))
		faults.push("may be stored");
	if (method === "HEAD") {
		if (answer.text !== "") faults.push("has a body");
		return faults;
	}
	if (line?.kind === "api" && isRefusal) {
		const message = messageOf(answer);
		if (message === undefined) faults.push("isn't {message}");
		if (wanted === 401 && !message?.includes("Unauthorized"))
			faults.push("does not say Unauthorized");
	}
	if (line?.kind === "page" && answer.status === wanted) {
		const says = (words: string) => {
			if (!answer.text.includes(words)) faults.push(`does not say '${words}'`);
		};
		if (cell === "G") says(GATES[column] ?? "?");
		if (wanted === 401) says(name === "deactivated" ? DEACTIVATED : "You are logged out.");
		if (wanted === 404) says("404 Page Not Found");
		if (
			wanted === 403 &&
			column === "D" &&
			/^\/(drivers|fund-requests|uber-fees|reports)/.test(line.path)
		)
			says("Admin access required");
		if (
			wanted === 403 &&
			column === "D" &&
			/^\/(drivers|fund-requests|mileage-reports|uber-fees)/.test(line.path)
		)
			says("Admin access required");
		if (line.path === "/" && name === "deactivated") says(DEACTIVATED);
		if (line.path === "/" && column === "V")
			says("Secure access for drivers and fleet administrators");
	}
	return faults;
}

function messageOf({ headers, text }: Answer): string | undefined {
	if (!headers.get("Content-Type")?.startsWith("application/json")) return undefined;
	const body: unknown = JSON.parse(text);
	return typeof body === "object" && body !== null && "message" in body
		? String(body.message)
		: undefined;
}

/**
 * The contents of every table that a refused request must leave unchanged. Sessions are left out
 * because requests may refresh them.
 */
export async function snapshotTables(): Promise<unknown[]> {
	const tables = [
		"users",
		"identities",
		"mileage_logs",
		"fund_requests",
		"uber_fees",
		"fee_imports",
		"agreements",
		"charges",
		"settlements",
		"settlement_lines",
		"settlement_messages",
		"settlement_marks",
		"block_totals",
		"payouts",
		"payout_requests",
		"payout_settlements",
		"payout_totals",
		"receipts",
		"mails",
		"settings",
		"webhooks",
		"audit_events",
	];
	// Downloads are allowed, and recorded in the audit.
	const rowsOf = (table: string) =>
		table === "audit_events"
			? "audit_events where entity <> 'file' and action <> 'person.export'"
			: table;
	return Promise.all([
		...tables.map((table) => fleet.sql(`select * from ${rowsOf(table)} order by 1`)),
		fleet.sql("select id, name, scope, expires_at, revoked_at from api_tokens order by 1"),
	]);
}

type Cell = { readonly line: Line; readonly method: string; readonly cell: string };
/** A person's cells: each line's own method, plus HEAD wherever there is GET. */
export function cellsOf(name: PrincipalName): Cell[] {
	const { column } = PRINCIPALS[name];
	return LINES.flatMap((line) => {
		// Signing in as a deactivated person shows the notice and begins no session.
		const cell =
			name === "deactivated" && line.path === "/api/login" && line.method === "POST"
				? "403"
				: line.cells[column];
		const own = { line, method: line.method, cell };
		return line.method === "GET" ? [own, { ...own, method: "HEAD" }] : [own];
	});
}
const isSignInOrOut = (path: string) => path === "/api/login" || path === "/api/logout";
/** Whether a cell changes the person or the fleet. */
export const changes = ({ line, method, cell }: Cell) =>
	isSignInOrOut(line.path) ||
	(method !== "GET" && method !== "HEAD" && cell !== "G" && Number(cell) < 400);
