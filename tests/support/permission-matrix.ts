/**
 * The permission matrix according to docs/product.md and docs/security.md. It is written
 * independently of app/routing/permissions.ts, which it tests.
 */
import { expect } from "vitest";

/**
 * Columns: V visitor, N unknown role, I driver without a name, P pending, R rejected, D active
 * driver, M administrator, A accountant; TR, TI, TW an administrator's token to read, to import and
 * to write, sent beside their cookie. A deactivated person counts as a visitor who is told so,
 * another driver as a driver; neither has a column. A number is the status; G is the driver's gate
 * screen (200, or 403 for anything but a page visit).
 */
const PAGES = `
	path             method  V    N    I    P    R    D    M    A    TR   TI   TW
	/                GET     200  404  G    G    G    200  200  200  200  200  200
	/mileage         GET     401  404  G    G    G    200  404  404  401  401  401
	/mileage         POST    401  404  G    G    G    303  404  404  401  401  401
	/requests        GET     401  404  G    G    G    200  404  404  401  401  401
	/requests        POST    401  404  G    G    G    303  404  404  401  401  401
	/history         GET     401  404  G    G    G    200  404  404  401  401  401
	/help            GET     401  404  G    G    G    200  404  404  401  401  401
	/history/export.csv        GET  401  404  403  403  403  200  403  403  401  401  401
	/history/tax-year          GET  401  404  403  403  403  200  404  404  401  401  401
	/history/year-summary      GET  401  404  403  403  403  200  404  404  401  401  401
	/history/payouts/:id.pdf   GET  401  404  403  403  403  404  403  403  401  401  401
	/earnings        GET     401  404  G    G    G    200  404  404  401  401  401
	/earnings/:id    GET     401  404  G    G    G    404  404  404  401  401  401
	/earnings/:id    POST    401  404  G    G    G    404  404  404  401  401  401
	/earnings/:id.pdf          GET  401  404  403  403  403  404  403  403  401  401  401
	/settlements/:id.pdf       GET  401  404  403  403  403  403  200  200  200  200  200
	/fund-requests   GET     401  404  G    G    G    403  200  200  401  401  401
	/fund-requests   POST    401  404  G    G    G    403  303  403  401  401  401
	/fund-requests/export.csv  GET  401  404  403  403  403  403  200  200  200  200  200
	/mileage-reports GET     401  404  G    G    G    403  200  200  401  401  401
	/mileage-reports POST    401  404  G    G    G    403  303  403  401  401  401
	/mileage-reports/export.csv  GET  401  404  403  403  403  403  200  200  200  200  200
	/uber-fees       GET     401  404  G    G    G    403  200  200  401  401  401
	/uber-fees       POST    401  404  G    G    G    403  303  403  401  401  401
	/reports         GET     401  404  G    G    G    403  200  200  401  401  401
	/reports/generate          GET   401  404  403  403  403  403  303  303  401  401  401
	/reports/generate          POST  401  404  403  403  403  403  200  200  401  401  401
	/reports/mileage-log       GET   401  404  403  403  403  403  303  303  401  401  401
	/reports/mileage-log       POST  401  404  403  403  403  403  200  200  401  401  401
	/uber-fees/import  GET   401  404  G    G    G    403  200  200  401  401  401
	/uber-fees/import  POST  401  404  G    G    G    403  404  403  401  401  401
	/uber-fees/import/left-out.csv  GET  401  404  403  403  403  403  302  302  302  302  302
	/payouts         GET     401  404  G    G    G    403  200  200  401  401  401
	/payouts         POST    401  404  G    G    G    403  303  403  401  401  401
	/payouts/:id     GET     401  404  G    G    G    403  200  200  401  401  401
	/payouts/:id     POST    401  404  G    G    G    403  303  403  401  401  401
	/payouts/:id.pdf           GET  401  404  403  403  403  403  200  200  200  200  200
	/payouts/export.csv        GET  401  404  403  403  403  403  200  200  200  200  200
	/payouts/:id/export.csv    GET  401  404  403  403  403  403  200  200  200  200  200
	/settlements     GET     401  404  G    G    G    403  200  200  401  401  401
	/settlements     POST    401  404  G    G    G    403  303  403  401  401  401
	/settlements/:id GET     401  404  G    G    G    403  200  200  401  401  401
	/settlements/:id POST    401  404  G    G    G    403  303  403  401  401  401
	/find            GET     401  404  G    G    G    403  200  200  401  401  401
	/audit           GET     401  404  G    G    G    403  200  200  401  401  401
	/email           GET     401  404  G    G    G    403  200  403  401  401  401
	/email           POST    401  404  G    G    G    403  404  403  401  401  401
	/outbox          GET     401  404  G    G    G    403  301  403  401  401  401
	/settings        GET     401  404  G    G    G    403  200  403  401  401  401
	/settings        POST    401  404  G    G    G    403  303  403  401  401  401
	/settings/tokens  GET  401  404  G    G    G    403  200  403  401  401  401
	/settings/tokens  POST  401  404  G    G    G    403  200  403  401  401  401
	/settings/webhooks  GET  401  404  G    G    G    403  200  403  401  401  401
	/settings/webhooks  POST  401  404  G    G    G    403  303  403  401  401  401
	/account         GET     401  404  G    G    G    200  200  200  401  401  401
	/account         POST    401  404  G    G    G    303  303  303  401  401  401
	/drivers         GET     401  404  G    G    G    403  200  200  401  401  401
	/drivers         POST    401  404  G    G    G    403  303  403  401  401  401
	/drivers/:id     GET     401  404  G    G    G    403  200  200  401  401  401
	/drivers/:id     POST    401  404  G    G    G    403  303  403  401  401  401
	/drivers/:id/data.zip      GET  401  404  403  403  403  403  200  403  403  403  403
	/offline         GET     200  200  200  200  200  200  200  200  200  200  200
	/service-worker.js     GET  200  200  200  200  200  200  200  200  200  200  200
	/manifest.webmanifest  GET  200  200  200  200  200  200  200  200  200  200  200
	/speculation-rules.json  GET  200  200  200  200  200  200  200  200  200  200  200
	/healthz  GET  200  200  200  200  200  200  200  200  200  200  200
	/profile         GET     404  404  G    G    G    404  404  404  404  404  404
	/profile         POST    401  404  303  303  G    403  303  403  401  401  401
	/api/docs        GET     200  200  200  200  200  200  200  200  200  200  200
	/api/login       GET     200  200  200  200  200  200  200  200  200  200  200
	/api/login       POST    303  303  303  303  303  303  303  303  303  303  303
	/api/callback    GET     400  400  400  400  400  400  400  400  400  400  400
	/api/logout      GET     200  200  200  200  200  200  200  200  200  200  200
	/api/logout      POST    303  303  303  303  303  303  303  303  303  303  303
	*                GET     404  404  G    G    G    404  404  404  404  404  404
	*                POST    404  404  G    G    G    404  404  404  404  404  404
	*                PUT     404  404  G    G    G    404  404  404  404  404  404
	*                DELETE  404  404  G    G    G    404  404  404  404  404  404
`;

const CALLS = `
	path                      method  V    N    I    P    R    D    M    A    TR   TI   TW
	/api/openapi.json         GET     200  200  200  200  200  200  200  200  200  200  200
	/api/auth/user            GET     401  200  200  200  200  200  200  200  200  200  200
	/api/profile              PUT     401  404  200  200  403  403  200  403  403  403  403
	/api/mileage              GET     401  404  403  403  403  200  200  200  200  200  200
	/api/mileage              POST    401  404  403  403  403  201  403  403  403  403  403
	/api/fund-requests        GET     401  404  403  403  403  200  200  200  200  200  200
	/api/fund-requests        POST    401  404  403  403  403  201  403  403  403  403  403
	/api/receipts             POST    401  404  403  403  403  415  403  403  403  403  403
	/api/receipts/:id         GET     401  404  403  403  403  404  404  404  404  404  404
	/api/fund-requests/:id    PUT     401  404  403  403  403  403  200  403  403  403  200
	/api/fund-requests/:id/messages  POST  401  404  403  403  403  404  201  403  403  403  201
	/api/payouts              GET     401  404  403  403  403  403  200  200  200  200  200
	/api/payouts              POST    401  404  403  403  403  403  201  403  403  403  201
	/api/payouts/:id          GET     401  404  403  403  403  403  200  200  200  200  200
	/api/payouts/:id          PUT     401  404  403  403  403  403  200  403  403  403  200
	/api/reports/generate     POST    401  404  403  403  403  403  200  200  200  200  200
	/api/analytics/weekly-summary     GET  401  404  403  403  403  403  200  200  200  200  200
	/api/analytics/driver-efficiency  GET  401  404  403  403  403  403  200  200  200  200  200
	/api/uber-fees            GET     401  404  403  403  403  200  200  200  200  200  200
	/api/uber-fees            POST    401  404  403  403  403  403  201  403  403  403  201
	/api/uber-fees/:id        DELETE  401  404  403  403  403  403  204  403  403  403  204
	/api/agreements           GET     401  404  403  403  403  403  200  200  200  200  200
	/api/agreements           POST    401  404  403  403  403  403  201  403  403  403  201
	/api/charges              GET     401  404  403  403  403  403  200  200  200  200  200
	/api/charges              POST    401  404  403  403  403  403  201  403  403  403  201
	/api/charges/:id          DELETE  401  404  403  403  403  403  204  403  403  403  204
	/api/settlements          GET     401  404  403  403  403  200  200  200  200  200  200
	/api/settlements          POST    401  404  403  403  403  403  200  403  403  403  200
	/api/settlements          PUT     401  404  403  403  403  403  200  403  403  403  200
	/api/settlements/:id      GET     401  404  403  403  403  404  200  200  200  200  200
	/api/settlements/:id      PUT     401  404  403  403  403  403  200  403  403  403  200
	/api/settlements/:id/messages  POST  401  404  403  403  403  404  201  403  403  403  201
	/api/statements           POST    401  404  403  403  403  403  400  403  403  400  400
	/api/drivers              GET     401  404  403  403  403  403  200  200  200  200  200
	/api/drivers              POST    401  404  403  403  403  403  201  403  403  403  403
	/api/mail/events          POST    404  404  404  404  404  404  404  404  404  404  404
	/api/csp-reports          POST    415  415  415  415  415  415  415  415  415  415  415
	/api/drivers/pending      GET     401  404  403  403  403  403  200  200  200  200  200
	/api/drivers/all          GET     401  404  403  403  403  403  200  200  200  200  200
	/api/people               GET     401  404  403  403  403  403  200  200  200  200  200
	/api/drivers/:id          DELETE  401  404  403  403  403  403  204  403  403  403  403
	/api/drivers/:id/approve  PUT     401  404  403  403  403  403  200  403  403  403  403
	/api/drivers/:id/reject   PUT     401  404  403  403  403  403  200  403  403  403  403
	/api/drivers/:id/toggle   PUT     401  404  403  403  403  403  200  403  403  403  403
	/api/outbox/mileage       POST    401  404  403  403  403  400  403  403  403  403  403
	/api/outbox/answers       POST    401  404  403  403  403  400  403  403  403  403  403
	/api/outbox/requests      POST    401  404  403  403  403  400  403  403  403  403  403
	/api/admin/create         POST    401  404  403  403  403  403  201  403  403  403  403
	/api/*                    GET     404  404  403  403  403  404  404  404  404  404  404
	/api/*                    POST    404  404  403  403  403  404  404  404  404  404  404
	/api/*                    PUT     404  404  403  403  403  404  404  404  404  404  404
	/api/*                    DELETE  404  404  403  403  403  404  404  404  404  404  404
`;

const COLUMNS = ["V", "N", "I", "P", "R", "D", "M", "A", "TR", "TI", "TW"] as const;
export type Column = (typeof COLUMNS)[number];
export type Line = {
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
export const LINES = [...linesOf(PAGES, "page"), ...linesOf(CALLS, "api")];
export const PATHS = [...new Set(LINES.map(({ path }) => path))];
export const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] as const;

/** A kind of person, as a row of users; and the scope of the token that acts for them. */
export type Principal = {
	readonly column: Column;
	readonly role?: string;
	readonly firstName?: string;
	readonly status?: string;
	readonly token?: string;
	readonly isViewer?: true;
};
const OWNER = { role: "admin", firstName: "Tess", status: "approved" } as const;

export const PRINCIPALS = {
	visitor: { column: "V" },
	deactivated: { column: "V", role: "driver", firstName: "Gone", status: "approved" },
	"unknown role": { column: "N", role: "none", firstName: "Nemo", status: "approved" },
	"name missing": { column: "I", role: "driver", firstName: "", status: "pending" },
	pending: { column: "P", role: "driver", firstName: "Petra", status: "pending" },
	rejected: { column: "R", role: "driver", firstName: "Rolf", status: "rejected" },
	driver: { column: "D", role: "driver", firstName: "Dora", status: "approved" },
	"other driver": { column: "D", role: "driver", firstName: "Otto", status: "approved" },
	administrator: { column: "M", role: "admin", firstName: "Mona", status: "approved" },
	accountant: {
		column: "A",
		role: "none",
		isViewer: true,
		firstName: "Vera",
		status: "approved",
	},
	"read token": { column: "TR", token: "read", ...OWNER },
	"import token": { column: "TI", token: "import", ...OWNER },
	"write token": { column: "TW", token: "write", ...OWNER },
} as const satisfies Record<string, Principal>;
export type PrincipalName = keyof typeof PRINCIPALS;
export const NAMES = Object.keys(PRINCIPALS) as PrincipalName[];
