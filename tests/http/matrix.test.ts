/**
 * The permission matrix, walked cell by cell: every route, every principal, every method.
 *
 * The tables below are written from docs/product.md and docs/security.md, not from
 * app/routing/permissions.ts, which is what they judge. A route that is not written here fails the
 * test, and so does a line here that no route answers.
 */
import { afterAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../app/routing/routes.ts";
import { CAST, idOf } from "../support/cast.ts";
import { insertFee } from "../support/fees.ts";
import { insertLog } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();

/**
 * Columns: V a visitor, N a role that is unknown, I a driver whose name is missing, P pending, R
 * rejected, D an active driver, M an administrator. A deactivated person is a visitor who is told
 * so, another driver is a driver: neither has a column. A number is the status; G is the driver's
 * gate screen (200, or 403 for anything but a visit).
 */
const PAGES = `
	path             method  V    N    I    P    R    D    M
	/                GET     200  404  G    G    G    200  200
	/mileage         GET     401  404  G    G    G    200  404
	/mileage         POST    401  404  G    G    G    303  404
	/requests        GET     401  404  G    G    G    200  404
	/requests        POST    401  404  G    G    G    303  404
	/history         GET     401  404  G    G    G    200  404
	/help            GET     401  404  G    G    G    200  404
	/history/export.csv        GET  401  404  403  403  403  200  403
	/history/tax-year          GET  401  404  403  403  403  200  404
	/history/year-summary      GET  401  404  403  403  403  200  404
	/history/payouts/:id.pdf   GET  401  404  403  403  403  404  403
	/fund-requests   GET     401  404  G    G    G    403  200
	/fund-requests   POST    401  404  G    G    G    403  303
	/fund-requests/export.csv  GET  401  404  403  403  403  403  200
	/mileage-reports GET     401  404  G    G    G    403  200
	/mileage-reports POST    401  404  G    G    G    403  303
	/mileage-reports/export.csv  GET  401  404  403  403  403  403  200
	/uber-fees       GET     401  404  G    G    G    403  200
	/uber-fees       POST    401  404  G    G    G    403  303
	/reports         GET     401  404  G    G    G    403  200
	/reports/generate          GET   401  404  403  403  403  403  303
	/reports/generate          POST  401  404  403  403  403  403  200
	/reports/mileage-log       GET   401  404  403  403  403  403  303
	/reports/mileage-log       POST  401  404  403  403  403  403  200
	/uber-fees/import  GET   401  404  G    G    G    403  200
	/uber-fees/import  POST  401  404  G    G    G    403  404
	/uber-fees/import/left-out.csv  GET  401  404  403  403  403  403  302
	/payouts         GET     401  404  G    G    G    403  200
	/payouts         POST    401  404  G    G    G    403  303
	/payouts/:id     GET     401  404  G    G    G    403  200
	/payouts/:id     POST    401  404  G    G    G    403  303
	/payouts/:id.pdf           GET  401  404  403  403  403  403  200
	/payouts/:id/export.csv    GET  401  404  403  403  403  403  200
	/find            GET     401  404  G    G    G    403  200
	/audit           GET     401  404  G    G    G    403  200
	/outbox          GET     401  404  G    G    G    403  200
	/outbox          POST    401  404  G    G    G    403  404
	/settings        GET     401  404  G    G    G    403  200
	/settings        POST    401  404  G    G    G    403  303
	/account         GET     401  404  G    G    G    200  200
	/account         POST    401  404  G    G    G    303  303
	/drivers         GET     401  404  G    G    G    403  200
	/drivers         POST    401  404  G    G    G    403  303
	/drivers/:id     GET     401  404  G    G    G    403  200
	/drivers/:id     POST    401  404  G    G    G    403  303
	/drivers/:id/data.zip      GET  401  404  403  403  403  403  200
	/offline         GET     200  200  200  200  200  200  200
	/service-worker.js     GET  200  200  200  200  200  200  200
	/manifest.webmanifest  GET  200  200  200  200  200  200  200
	/speculation-rules.json  GET  200  200  200  200  200  200  200
	/healthz  GET  200  200  200  200  200  200  200
	/profile         GET     404  404  G    G    G    404  404
	/profile         POST    401  404  303  303  G    403  303
	/api/login       GET     200  302  302  302  302  302  302
	/api/login       POST    303  303  303  303  303  303  303
	/api/callback    GET     400  400  400  400  400  400  400
	/api/logout      GET     200  200  200  200  200  200  200
	/api/logout      POST    303  303  303  303  303  303  303
	*                GET     404  404  G    G    G    404  404
	*                POST    404  404  G    G    G    404  404
	*                PUT     404  404  G    G    G    404  404
	*                DELETE  404  404  G    G    G    404  404
`;

const CALLS = `
	path                      method  V    N    I    P    R    D    M
	/api/auth/user            GET     401  404  200  200  200  200  200
	/api/profile              PUT     401  404  200  200  403  403  200
	/api/mileage              GET     401  404  403  403  403  200  200
	/api/mileage              POST    401  404  403  403  403  201  403
	/api/fund-requests        GET     401  404  403  403  403  200  200
	/api/fund-requests        POST    401  404  403  403  403  201  403
	/api/receipts             POST    401  404  403  403  403  415  403
	/api/receipts/:id         GET     401  404  404  404  404  404  404
	/api/fund-requests/:id    PUT     401  404  403  403  403  403  200
	/api/fund-requests/:id/messages  POST  401  404  403  403  403  404  201
	/api/payouts              GET     401  404  403  403  403  403  200
	/api/payouts              POST    401  404  403  403  403  403  201
	/api/payouts/:id          GET     401  404  403  403  403  403  200
	/api/payouts/:id          PUT     401  404  403  403  403  403  200
	/api/reports/generate     POST    401  404  403  403  403  403  200
	/api/analytics/weekly-summary     GET  401  404  403  403  403  403  200
	/api/analytics/driver-efficiency  GET  401  404  403  403  403  403  200
	/api/uber-fees            GET     401  404  403  403  403  200  200
	/api/uber-fees            POST    401  404  403  403  403  403  201
	/api/uber-fees/:id        DELETE  401  404  403  403  403  403  204
	/api/statements           POST    401  404  403  403  403  403  400
	/api/drivers              GET     401  404  403  403  403  403  200
	/api/drivers              POST    401  404  403  403  403  403  201
	/api/mail/events          POST    404  404  404  404  404  404  404
	/api/csp-reports          POST    415  415  415  415  415  415  415
	/api/drivers/pending      GET     401  404  403  403  403  403  200
	/api/drivers/all          GET     401  404  403  403  403  403  200
	/api/people               GET     401  404  403  403  403  403  200
	/api/drivers/:id          DELETE  401  404  403  403  403  403  204
	/api/drivers/:id/approve  PUT     401  404  403  403  403  403  200
	/api/drivers/:id/reject   PUT     401  404  403  403  403  403  200
	/api/drivers/:id/toggle   PUT     401  404  403  403  403  403  200
	/api/outbox/mileage       POST    401  404  403  403  403  400  403
	/api/outbox/answers       POST    401  404  403  403  403  400  403
	/api/outbox/requests      POST    401  404  403  403  403  400  403
	/api/admin/create         POST    401  404  403  403  403  403  201
	/api/*                    GET     404  404  403  403  403  404  404
	/api/*                    POST    404  404  403  403  403  404  404
	/api/*                    PUT     404  404  403  403  403  404  404
	/api/*                    DELETE  404  404  403  403  403  404  404
`;

const COLUMNS = ["V", "N", "I", "P", "R", "D", "M"] as const;
type Column = (typeof COLUMNS)[number];
type Line = {
	readonly path: string;
	readonly method: string;
	readonly kind: "page" | "api";
	readonly cells: Readonly<Record<Column, string>>;
};

function linesOf(table: string, kind: Line["kind"]): Line[] {
	return table
		.trim()
		.split("\n")
		.slice(1)
		.map((text) => {
			const [path = "", method = "", ...cells] = text.trim().split(/\s+/);
			expect(cells, text).toHaveLength(COLUMNS.length);
			return {
				path,
				method,
				kind,
				cells: Object.fromEntries(COLUMNS.map((column, position) => [column, cells[position]])),
			} as Line;
		});
}
const LINES = [...linesOf(PAGES, "page"), ...linesOf(CALLS, "api")];
const PATHS = [...new Set(LINES.map(({ path }) => path))];
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] as const;

/** What each kind of person is, as a row of users. */
const PRINCIPALS = {
	visitor: { column: "V" },
	deactivated: { column: "V", role: "driver", firstName: "Gone", status: "approved" },
	"unknown role": { column: "N", role: "none", firstName: "Nemo", status: "approved" },
	"name missing": { column: "I", role: "driver", firstName: "", status: "pending" },
	pending: { column: "P", role: "driver", firstName: "Petra", status: "pending" },
	rejected: { column: "R", role: "driver", firstName: "Rolf", status: "rejected" },
	driver: { column: "D", role: "driver", firstName: "Dora", status: "approved" },
	"other driver": { column: "D", role: "driver", firstName: "Otto", status: "approved" },
	administrator: { column: "M", role: "admin", firstName: "Mona", status: "approved" },
} as const satisfies Record<
	string,
	{ column: Column; role?: string; firstName?: string; status?: string }
>;
type PrincipalName = keyof typeof PRINCIPALS;
const NAMES = Object.keys(PRINCIPALS) as PrincipalName[];

let made = 0;
type Person = { readonly client: Client; readonly own: readonly string[]; readonly email: string };

/** Somebody new of that kind, signed in. */
async function somebody(name: PrincipalName): Promise<Person> {
	const principal: { column: Column; role?: string; firstName?: string; status?: string } =
		PRINCIPALS[name];
	made += 1;
	const email = `matrix${made}x@milepost.test`;
	const client = fleet.client();
	if (principal.role === undefined) return { client, own: [], email };
	const id = newId();
	const lastName = `Matrix${made}x`;
	await fleet.sql(
		`insert into users (id, role, first_name, last_name, email, approval_status, created_at, applied_at, approved_at) values (?, ?, ?, ?, ?, ?, 1, ?, ?)`,
		id,
		principal.role,
		principal.firstName ?? "",
		principal.firstName ? lastName : "",
		email,
		principal.status ?? "",
		principal.firstName ? 1 : null,
		principal.status === "approved" ? 1 : null,
	);
	await fleet.sql(
		"insert into identities (issuer, subject, user_id, created_at) values ('local-sign-in', ?, ?, 9e12)",
		email,
		id,
	);
	await client.signIn(email);
	if (name === "deactivated") await fleet.sql("update users set is_active = 0 where id = ?", id);
	return { client, own: [email, lastName], email };
}

const newId = () => `20000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;

/**
 * A driver or a request to be decided about, toggled or deleted: somebody nobody is signed in as.
 */
async function target(path: string): Promise<string> {
	const id = newId();
	if (path.includes("payouts")) {
		await approved();
		return path.includes(":id") ? openPayout() : "";
	}
	if (path.includes("fund-requests"))
		return insertRequest((query, ...values) => fleet.sql(query, ...values), made, "dana");
	if (path.includes("uber-fees"))
		return insertFee((query, ...values) => fleet.sql(query, ...values), made, "dana", "2026-11-02");
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

/** Something to pay. */
const approved = () =>
	insertApproved((query, ...values) => fleet.sql(query, ...values), made, "dana", 12_50);
/** A payout that is open. */
const openPayout = async () => (await gather(await fleet.as("ada"), { all: true })).id;
made += 1;
await approved();
const payoutId = await openPayout();

const ADDRESSES: Readonly<Record<string, string>> = {
	"*": "/no-such-page",
	"/api/*": "/api/no-such-call",
	"/history/tax-year": "/history/tax-year?year=2026&format=xlsx",
	"/history/year-summary": "/history/year-summary?year=2026&format=csv",
};
/** The path with somebody's id in it; a refused request names a person who really exists. */
const addressOf = (path: string, id: string = idOf("nora")) =>
	ADDRESSES[path] ??
	path.replace(":id", id === idOf("nora") && path.includes("payouts") ? payoutId : id);

/** What a genuine request to a route would say. */
function bodyOf(path: string, email: string, id = ""): Record<string, string> {
	made += 1;
	const names = { firstName: "New", lastName: `Name${made}x` };
	const trip = {
		date: "2026-11-02",
		startOdometer: String(1000 + made),
		endOdometer: String(1010 + made),
	};
	switch (path) {
		case "/mileage":
		case "/api/mileage":
			return trip;
		case "/requests":
		case "/api/fund-requests":
			return { type: "gas", amount: "45.50", description: `Fuel ${made}` };
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

function send(
	client: Client,
	kind: Line["kind"],
	method: string,
	address: string,
	body: Record<string, string>,
): Promise<Answer> {
	if (method === "GET" || method === "HEAD")
		return client.request(address, { method, mayFail: true });
	const isForm = kind === "page";
	const hasBody = Object.keys(body).length > 0;
	return client.request(address, {
		method,
		mayFail: true,
		...(hasBody
			? { body: isForm ? new URLSearchParams(body).toString() : JSON.stringify(body) }
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

let cells = 0;
let mismatches = 0;
afterAll(() => {
	const lines = new Set(LINES.map(({ path }) => path));
	const without = ROUTES.filter(({ path }) => !lines.has(path)).length;
	console.log(
		`Permission matrix: ${cells} cells run, ${mismatches} mismatches, ${without} routes without a row`,
	);
});

/**
 * What everybody but this person must never read in a refusal: names, addresses and trips of the
 * fleet.
 */
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
 * Files without data, the same for everyone: a browser may keep them, and asks each time whether
 * they have changed; the rules of what to fetch ahead hold for a day.
 */
const NOBODYS_FILES: ReadonlyMap<string, string> = new Map([
	["/service-worker.js", "no-cache"],
	["/manifest.webmanifest", "no-cache"],
	["/speculation-rules.json", "public, max-age=86400"],
]);

/** What is wrong with an answer, in words; empty when it is what the cell says. */
function faultsOf(
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
	const nobodys = answer.status === 200 ? NOBODYS_FILES.get(line?.path ?? "") : undefined;
	if (nobodys ? caching !== nobodys : !/no-store/.test(caching)) faults.push("may be stored");
	if (method === "HEAD") {
		if (answer.text !== "") faults.push("has a body");
		return faults;
	}
	if (line?.kind === "api" && isRefusal) {
		const message = messageOf(answer);
		if (message === undefined) faults.push("is no {message}");
		if (wanted === 401 && !message?.includes("Unauthorized"))
			faults.push("does not say Unauthorized");
	}
	if (line?.kind === "page" && answer.status === wanted) {
		const says = (words: string) => {
			if (!answer.text.includes(words)) faults.push(`does not say '${words}'`);
		};
		if (cell === "G") says(GATES[column] ?? "?");
		if (wanted === 401)
			says(name === "deactivated" ? DEACTIVATED : "You are logged out. Logging in again...");
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

/** Every table that a refused request must leave alone, row by row; sessions are only touched. */
async function everything(): Promise<unknown[]> {
	const tables = [
		"users",
		"identities",
		"mileage_logs",
		"fund_requests",
		"uber_fees",
		"fee_imports",
		"driver_totals",
		"payouts",
		"payout_requests",
		"payout_totals",
		"receipts",
		"mails",
		"settings",
		"audit_events",
	];
	// A download is read and written down all the same.
	const rowsOf = (table: string) =>
		table === "audit_events"
			? "audit_events where entity <> 'file' and action <> 'person.export'"
			: table;
	return Promise.all(tables.map((table) => fleet.sql(`select * from ${rowsOf(table)} order by 1`)));
}

type Cell = { readonly line: Line; readonly method: string; readonly cell: string };
/** The cells of a person: a line's own method, and HEAD wherever there is GET. */
function cellsOf(name: PrincipalName): Cell[] {
	const { column } = PRINCIPALS[name];
	return LINES.flatMap((line) => {
		// Whoever signs in as a deactivated person gets the notice and no session.
		const cell =
			name === "deactivated" && line.path === "/api/login" && line.method === "POST"
				? "403"
				: line.cells[column];
		const own = { line, method: line.method, cell };
		return line.method === "GET" ? [own, { ...own, method: "HEAD" }] : [own];
	});
}
const isSignInOrOut = (path: string) => path === "/api/login" || path === "/api/logout";
/** A cell after which the person or the fleet is not what it was. */
const changes = ({ line, method, cell }: Cell) =>
	isSignInOrOut(line.path) ||
	(method !== "GET" && method !== "HEAD" && cell !== "G" && Number(cell) < 400);

async function report(found: string[], what: string, faults: readonly string[]): Promise<void> {
	cells += 1;
	if (faults.length === 0) return;
	mismatches += 1;
	found.push(`${what} ${faults.join("; ")}`);
}

it("has a line for every route, and a route for every line", () => {
	const written = [...new Set(LINES.map(({ path }) => path))].filter((path) => !path.endsWith("*"));
	expect(written.sort()).toEqual(ROUTES.map(({ path }) => path).sort());
});

describe("what is refused or only read", () => {
	it.each(NAMES)("%s", async (name) => {
		const found: string[] = [];
		const { client, own, email } = await somebody(name);
		const before = await everything();
		for (const cell of cellsOf(name).filter((each) => !changes(each))) {
			const { line, method } = cell;
			const answer = await send(
				client,
				line.kind,
				method,
				addressOf(line.path),
				bodyOf(line.path, email),
			);
			await report(
				found,
				`${method} ${line.path}`,
				faultsOf(line, cell.cell, method, name, answer, own),
			);
		}
		for (const path of PATHS) {
			const lines = LINES.filter((line) => line.path === path);
			const answered = lines.flatMap(({ method }) =>
				method === "GET" ? ["GET", "HEAD"] : [method],
			);
			for (const method of METHODS.filter((each) => !answered.includes(each))) {
				const answer = await send(
					client,
					lines[0]?.kind ?? "page",
					method,
					addressOf(path),
					bodyOf(path, email),
				);
				const faults = faultsOf(undefined, "405", method, name, answer, own);
				const allow = (answer.headers.get("Allow") ?? "").split(", ");
				if (allow.sort().join() !== [...answered].sort().join())
					faults.push(`allows ${allow.join()}`);
				await report(found, `${method} ${path}`, faults);
			}
		}
		expect(found).toEqual([]);
		expect(await everything()).toEqual(before);
	});
});

describe("what is allowed and changes something", () => {
	it.each(NAMES)("%s", async (name) => {
		const found: string[] = [];
		for (const cell of cellsOf(name).filter(changes)) {
			const { line, method } = cell;
			const { client, own, email } = await somebody(name);
			const id =
				line.path.includes(":id") ||
				["/fund-requests", "/mileage-reports", "/payouts", "/api/payouts"].includes(line.path)
					? await target(line.path)
					: "";
			const answer = await send(
				client,
				line.kind,
				method,
				addressOf(line.path, id),
				bodyOf(line.path, email, id),
			);
			const faults = faultsOf(line, cell.cell, method, name, answer, own);
			if (answer.status === 303 && /^[a-z]+:|^\/\//.test(answer.headers.get("Location") ?? "//"))
				faults.push("leads elsewhere");
			await report(found, `${method} ${line.path}`, faults);
		}
		expect(found).toEqual([]);
	});
});

describe("the back doors of the framework", () => {
	const doors = [
		"/?_data=",
		"/?_data",
		"/?_data=routes%2F_index",
		"/?index&_data=routes%2F_index",
		"/drivers?_data=routes%2F_admin.drivers",
		"/drivers?_data=routes%2Fdrivers",
		"/mileage?x=1&_data=routes%2F_driver.mileage",
		"/profile?_data=routes%2Fprofile",
		"/api/drivers?_data=routes%2Fapi.drivers",
		"/_root.data",
		"/drivers.data",
		"/drivers.data?_routes=routes%2F_admin.drivers",
		"/mileage.data",
		"/x.data",
		"/api/drivers.data",
		"/__manifest",
		"/__manifest?p=/drivers&version=1",
	];
	it.each(NAMES)("are closed to %s", async (name) => {
		const found: string[] = [];
		const { client, own } = await somebody(name);
		for (const door of doors)
			for (const method of ["GET", "POST", "PUT"]) {
				const answer = await send(
					client,
					"page",
					method,
					door,
					method === "GET" ? {} : { intent: "approve", id: idOf("nora") },
				);
				await report(
					found,
					`${method} ${door}`,
					faultsOf(undefined, "404", method, name, answer, own),
				);
			}
		expect(found).toEqual([]);
	});
});

describe("a path that is written differently", () => {
	// The framework decodes paths and ignores their case; the table does neither, so none of these is
	// a route of ours.
	const paths = [
		"/MILEAGE",
		"/%6dileage",
		"/Drivers",
		"/%64rivers",
		"/mileage/.",
		"//drivers",
		"/drivers//",
		"/API/logout",
		"/api/%6cogout",
		"/api/Login",
		"/api/%64rivers",
	];
	it.each(NAMES)("is no page for %s", async (name) => {
		const found: string[] = [];
		const { client, own, email } = await somebody(name);
		const { column } = PRINCIPALS[name];
		for (const path of paths) {
			// The address bar's own rules come first: '/mileage/.' is '/mileage/', which leads to
			// '/mileage'.
			if (path === "/mileage/.") continue;
			const line = LINES.find(
				(each) =>
					each.path === (path.startsWith("/api/") ? "/api/*" : "*") && each.method === "GET",
			);
			const cell = line?.cells[column] ?? "?";
			for (const method of ["GET", "POST"]) {
				const answer = await send(
					client,
					line?.kind ?? "page",
					method,
					path,
					method === "POST" ? { email, intent: "x" } : {},
				);
				await report(found, `${method} ${path}`, faultsOf(line, cell, method, name, answer, own));
			}
		}
		if (name !== "visitor" && name !== "deactivated") {
			// Had one of them reached its route, the session would be gone or another's.
			const status = (
				await client.get("/api/logout", { headers: { "Sec-Fetch-Site": "cross-site" } })
			).status;
			expect(status).toBe(200);
			const [session] = await fleet.sql<{ ended_at: number | null }>(
				"select ended_at from sessions s join users u on u.id = s.user_id where u.email = ? order by s.created_at desc",
				email,
			);
			expect(session).toEqual({ ended_at: null });
		}
		expect(found).toEqual([]);
	});

	it("and one with a slash too many leads to the page itself", async () => {
		for (const path of ["/mileage/", "/drivers/?x=1"]) {
			const { status, headers } = await fleet.client().get(path);
			expect([status, headers.get("Location")]).toEqual([308, path.replace(/\/(\?|$)/, "$1")]);
		}
	});
});

describe("a session that is not one", () => {
	const garbled = async () => {
		const real = async (change: string) => {
			const { client, email } = await somebody("administrator");
			await fleet.sql(
				`update sessions set ${change} where user_id = (select id from users where email = ?)`,
				email,
			);
			return client.cookies.get("sid") ?? "";
		};
		const live = (await somebody("administrator")).client.cookies.get("sid") ?? "";
		return {
			garbage: "x",
			empty: "",
			"a token nobody has": `${"A".repeat(43)}.a`,
			"a percent sign": "%E0%A4%A",
			"a live token, cut": `${live.slice(1)}`,
			"a live token, longer": `A${live}`,
			"a live token without its hint": live.slice(0, 43),
			SQL: "' or 1=1 --",
			"the hash instead of the token": `${"a".repeat(64)}.a`,
			idle: await real("expires_at = 1"),
			"at its absolute end": await real("ends_at = 1"),
			"signed out": await real("ended_at = 1, ended_reason = 'signed-out'"),
			rotated: await real("ended_at = 1, ended_reason = 'rotated'"),
			"ended by an administrator": await real("ended_at = 1, ended_reason = 'ended-by-admin'"),
		};
	};

	it("is a visitor's", async () => {
		const found: string[] = [];
		for (const [what, value] of Object.entries(await garbled()))
			for (const line of LINES.filter(
				({ method, path }) => method === "GET" && path !== "/api/logout",
			)) {
				const client = fleet.client();
				if (value !== "") client.cookies.set("sid", value);
				const answer = await client.get(addressOf(line.path), { mayFail: true });
				const faults =
					line.path === "/api/login"
						? []
						: faultsOf(line, line.cells.V, "GET", "visitor", answer, []);
				await report(found, `${what}: GET ${line.path}`, faults);
			}
		expect(found).toEqual([]);
	});

	it("leaves a live one alone when both are sent under different names", async () => {
		const { client } = await somebody("driver");
		client.cookies.set("__Host-sid", `${"A".repeat(43)}.a`);
		client.cookies.set("toast", "%E0%A4%A");
		expect((await client.get("/")).text).toContain("Driver Dashboard");
	});

	it("with a false hint shows no other portal", async () => {
		for (const name of NAMES.filter((each) => each !== "visitor")) {
			const { client } = await somebody(name);
			const { cookies } = client;
			const before = await client.get("/");
			cookies.set(
				"sid",
				(cookies.get("sid") ?? "").replace(/\.(.)$/, (_, hint: string) =>
					hint === "a" ? ".d" : ".a",
				),
			);
			const after = await client.get("/");
			expect([after.status, after.text], name).toEqual([before.status, before.text]);
		}
	});
});
