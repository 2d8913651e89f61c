/**
 * Writes that other sites send in a signed-in person's name (docs/security.md, 'Cross-site
 * writes'): every write route, with every `Origin` and `Sec-Fetch-Site` that a browser or an
 * attacker may send, and every kind of body that a form or a script can send.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowedMethods, ROUTES } from "../../app/routing/routes.ts";
import { idOf } from "../support/cast.ts";
import { ask } from "../support/direct.ts";
import { oneIn } from "../support/extent.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const OURS = fleet.origin;

const ORIGINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	absent: {},
	null: { Origin: "null" },
	malformed: { Origin: "ht!tp:/%zz" },
	evil: { Origin: "https://evil.example" },
	"evil that begins like us": { Origin: `${OURS}.evil.example` },
	"sibling port": { Origin: "http://localhost:9999" },
	"other scheme": { Origin: OURS.replace("http:", "https:") },
	"other name of this machine": { Origin: OURS.replace("localhost", "127.0.0.1") },
	"evil, with forwarded headers that say so too": {
		Origin: "https://evil.example",
		"X-Forwarded-Host": "evil.example",
		"X-Forwarded-Proto": "https",
		Forwarded: "host=evil.example;proto=https",
	},
	exact: { Origin: OURS },
};
/**
 * A form from a browser that sends neither header is trusted by its referrer, which must never
 * override the other two headers.
 */
const REFERRERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	"our page beside a null origin": { Referer: `${OURS}/mileage`, Origin: "null" },
	"our page beside another origin": { Referer: `${OURS}/mileage`, Origin: "https://evil.example" },
	"our page beside another site": { Referer: `${OURS}/mileage`, "Sec-Fetch-Site": "cross-site" },
	"evil page": { Referer: `https://evil.example/${OURS}/` },
	"evil page that begins like ours": { Referer: `${OURS}.evil.example/` },
};
const SITES = [undefined, "same-origin", "same-site", "cross-site", "none"] as const;
const BODIES = {
	"application/x-www-form-urlencoded":
		"intent=approve&firstName=Forged&lastName=Forged&email=forged@milepost.test",
	"multipart/form-data; boundary=zz":
		'--zz\r\nContent-Disposition: form-data; name="firstName"\r\n\r\nForged\r\n--zz--\r\n',
	"text/plain": '{"firstName":"Forged","lastName":"Forged","email":"forged@milepost.test"}',
	"application/json": '{"firstName":"Forged","lastName":"Forged","email":"forged@milepost.test"}',
} as const;
type ContentType = keyof typeof BODIES;
const TYPES = Object.keys(BODIES) as ContentType[];

/**
 * Signed webhooks come from other servers, and violation reports from the browser itself; neither
 * uses a cookie (mail-events.test.ts, violation-reports.test.ts).
 */
const WRITES = ROUTES.filter(({ isSigned, takesReports }) => !isSigned && !takesReports).flatMap(
	(rule) =>
		allowedMethods(rule)
			.filter((method) => method !== "GET" && method !== "HEAD")
			.map((method) => ({
				method,
				kind: rule.kind,
				path: rule.path.replace(/:\w+/g, idOf("nora")),
			})),
);

/**
 * Browsers set Sec-Fetch-Site and no page can change it, so 'same-origin' is proof. Where it is
 * absent (an old browser) or 'none', only our exact Origin is.
 */
const isGenuine = (origin: string, site: (typeof SITES)[number]) =>
	site === "same-origin" || (origin === "exact" && (site === undefined || site === "none"));
/** Every way to say where a write comes from, with each kind of body. */
const sayings = (isWanted: boolean) =>
	Object.entries(ORIGINS).flatMap(([origin, headers]) =>
		SITES.filter((site) => isGenuine(origin, site) === isWanted).map((site) => {
			const more: Record<string, string> = site === undefined ? {} : { "Sec-Fetch-Site": site };
			return [`Origin ${origin}, Sec-Fetch-Site ${site}`, { ...headers, ...more }] as const;
		}),
	);
const withBodies = (all: readonly (readonly [string, Readonly<Record<string, string>>])[]) =>
	all.flatMap(([said, headers]) => TYPES.map((type) => [said, headers, type] as const));
const FORGERIES = withBodies([...sayings(false), ...Object.entries(REFERRERS)]);
const GENUINE = withBodies(sayings(true));
/**
 * API calls accept JSON. Uploads also accept a multipart form, and reports a form post
 * (docs/product.md, 'The JSON API').
 */
const ACCEPTED_TYPES: Readonly<Record<string, RegExp>> = {
	"/api/receipts": /json|multipart/,
	"/api/charges": /json|multipart/,
	"/api/outbox/mileage": /json|multipart/,
	"/api/outbox/requests": /json|multipart/,
	"/api/outbox/answers": /json|multipart/,
	"/api/reports/generate": /json|form/,
	"/api/statements": /json|form/,
};
const isAccepted = (kind: "page" | "api", type: ContentType, path: string) =>
	(kind === "page" ? /form/ : (ACCEPTED_TYPES[path] ?? /json/)).test(type);

// Bypasses the client, which sends what our own pages send.
async function write(
	client: Client,
	method: string,
	path: string,
	headers: Readonly<Record<string, string>>,
	body?: string,
): Promise<Pick<Answer, "status" | "headers" | "text">> {
	const { cookie } = client;
	const response = await ask(fleet.worker, `${OURS}${path}`, {
		method,
		headers: { ...headers, ...(cookie ? { Cookie: cookie } : {}) },
		...(body === undefined ? {} : { body }),
	});
	return { status: response.status, headers: response.headers, text: await response.text() };
}

async function snapshot(): Promise<unknown[]> {
	const tables = [
		"users",
		"identities",
		"sessions",
		"mileage_logs",
		"fund_requests",
		"fee_imports",
		"uber_fees",
		"receipts",
		"mails",
		"audit_events",
	];
	// Other sites may link to a download, which is served and recorded as usual.
	const rowsOf = (table: string) =>
		table === "audit_events"
			? "audit_events where entity <> 'file' and action <> 'person.export'"
			: table;
	const { database } = fleet;
	const read = tables.map((table) => database.prepare(`select * from ${rowsOf(table)} order by 1`));
	return (await database.batch(read)).map(({ results }) => results);
}

let [forged, accepted, genuine, refused] = [0, 0, 0, 0];
afterAll(() =>
	console.log(
		`Forged writes: ${forged} sent, ${accepted} accepted. Genuine writes: ${genuine} sent, ${refused} refused`,
	),
);

let people: readonly (readonly [string, Client])[];
beforeAll(async () => {
	people = [
		["an administrator", await fleet.as("ada")],
		["a driver", await fleet.as("dana")],
	];
});

it("has write routes to forge", () => {
	expect(WRITES.length).toBeGreaterThan(10);
});

describe("a forged write", () => {
	it.each(WRITES.map((each, at) => ({ ...each, at })))(
		"$method $path is refused with 403 or 415, and changes nothing",
		async ({ method, path, at }) => {
			const before = await snapshot();
			const faults: string[] = [];
			for (const [person, [who, client]] of people.entries()) {
				// Each route gets others of them.
				const sent = [...oneIn(7, FORGERIES, at + 3 * person)];
				forged += sent.length;
				while (sent.length > 0)
					await Promise.all(
						sent.splice(0, 20).map(async ([said, headers, type]) => {
							const more = { ...headers, "Content-Type": type };
							const answer = await write(client, method, path, more, BODIES[type]);
							if (answer.status !== 403 && answer.status !== 415) {
								accepted += 1;
								faults.push(`as ${who}, ${said}, ${type}: ${answer.status}`);
							}
							if (answer.headers.has("Set-Cookie"))
								faults.push(`as ${who}, ${said}: sets a cookie`);
						}),
					);
			}
			expect(faults).toEqual([]);
			expect(await snapshot()).toEqual(before);
		},
	);
});

describe("a genuine write", () => {
	it.each(WRITES.map((each, at) => ({ ...each, at })))(
		"$method $path isn't mistaken for a forged one",
		async ({ method, path, kind, at }) => {
			const faults: string[] = [];
			for (const [said, headers, type] of oneIn(7, GENUINE, at)) {
				genuine += 1;
				const more = { ...headers, "Content-Type": type };
				// A visitor is refused in any case: the message shows whether the cross-site check let
				// them through.
				const answer = await write(fleet.client(), method, path, more, BODIES[type]);
				const isCrossSiteRefusal = answer.text.includes("come from one of our pages");
				const wanted = isAccepted(kind, type, path)
					? answer.status !== 415 && answer.status < 500
					: answer.status === 415;
				if (isCrossSiteRefusal || !wanted) {
					refused += 1;
					faults.push(`${said}, ${type}: ${answer.status}`);
				}
			}
			expect(faults).toEqual([]);
		},
	);

	it("is recognized by its referrer in browsers that send nothing else, such as text browsers", async () => {
		const driver = fleet.client();
		const form = { "Content-Type": "application/x-www-form-urlencoded" };
		const from = (path: string) => ({ ...form, Referer: OURS + path });
		const entered = await write(
			driver,
			"POST",
			"/api/login",
			from("/api/login"),
			"email=dana@milepost.test",
		);
		expect(entered.status).toBe(303);
		const dana = await fleet.as("dana");
		const trip = "startOdometer=700000&endOdometer=700010&date=2026-01-01";
		const logged = await write(dana, "POST", "/mileage", from("/mileage"), trip);
		expect(logged.text).not.toContain("come from one of our pages");
		const silent = await write(dana, "POST", "/mileage", form, trip);
		expect([silent.status, silent.text.includes("come from one of our pages")]).toEqual([
			403,
			true,
		]);
	});
});

describe("a visit from another site", () => {
	it.each(ROUTES.filter(({ methods }) => methods.GET).map(({ path }) => path))(
		"GET %s changes nothing",
		async (path) => {
			const before = await snapshot();
			const url = path.replace(/:\w+/g, idOf("nora"));
			for (const [, client] of people)
				await write(client, "GET", url, { "Sec-Fetch-Site": "cross-site" });
			expect(await snapshot()).toEqual(before);
		},
	);
});
