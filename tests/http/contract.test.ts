/**
 * Plays every operation of the API's own document as everyone who may ask, with values that it
 * accepts, at their limits and beyond: whatever is answered is something that it describes.
 * `npm run test:full`, or `MILEPOST_CONTRACT_ROUNDS=60`, plays over 20,000 requests.
 */
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { expect, it } from "vitest";
import { insertAgreement, insertCharge } from "../support/agreements.ts";
import { idOf } from "../support/cast.ts";
import { type ApiDocument, Contract, type Played, requestsOf } from "../support/contract.ts";
import { times } from "../support/extent.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo, monday } from "../support/fleet-days.ts";
import { multipart, type SentFile } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { PNG } from "../support/request-form.ts";
import { insertRequest } from "../support/requests.ts";
import type { Sql } from "../support/rows.ts";
import { insertSettlement } from "../support/settlements.ts";
import { insertToken } from "../support/tokens.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const sql: Sql = (query, ...values) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");
const document = JSON.parse((await ada.call("GET", "/api/openapi.json")).text) as ApiDocument;

const ROUNDS = times("MILEPOST_CONTRACT_ROUNDS", 2, 60);
const SEED = 20_261_127;

/** Everyone who may ask, signed in anew. */
async function everyone(): Promise<readonly (readonly [string, Client, string?])[]> {
	const token = (scope: string) => insertToken(sql, idOf("ada"), scope);
	return [
		["visitor", fleet.client()],
		["applicant", await fleet.as("nora")],
		["driver", await fleet.as("dana")],
		["viewer", await fleet.client().signIn("vera@milepost.test")],
		["administrator", await fleet.as("ada")],
		...(await Promise.all(
			["read", "import", "write"].map(
				async (scope) => [`${scope} token`, fleet.client(), await token(scope)] as const,
			),
		)),
	];
}

let inserted: ReturnType<typeof insertRows> | undefined;
/** Rows that a path or a field may name, by their kind; none of the people is one who asks. */
const knownRows = () => {
	inserted ??= insertRows();
	return inserted;
};
async function insertRows() {
	const many = <Row>(insert: (number: number) => Promise<Row>) =>
		Promise.all([1, 2, 3, 4, 5, 6].map(insert));
	const approved = (from: number) =>
		many((number) => insertApproved(sql, from + number, "omar", 900 + number));
	const gathered = await approved(20);
	return {
		requests: await many((number) => insertRequest(sql, number, "dana")),
		approved: await approved(10),
		payouts: await Promise.all(
			gathered.map(async (id) => (await gather(ada, { requestIds: [id] })).id),
		),
		trips: await many((number) => insertLog(sql, number, "omar", daysAgo(10 + number), 40)),
		fees: await many((number) => insertFee(sql, number, "omar", daysAgo(3))),
		agreements: [await insertAgreement(sql, 1, "omar", monday(6))],
		charges: await many((number) => insertCharge(sql, number, "omar")),
		settlements: await many((number) => insertSettlement(sql, number, "omar", monday(number))),
		drivers: [idOf("omar"), idOf("lena"), idOf("ivan")],
	};
}
type Rows = Awaited<ReturnType<typeof insertRows>>;

/** What a field of an operation usually is. */
const typicalOf =
	(path: string, rows: Rows) =>
	(name: string): readonly unknown[] | undefined => {
		const kind = ["payouts", "settlements", "charges", "drivers", "uber-fees"].find((each) =>
			path.startsWith(`/api/${each}/{id}`),
		);
		switch (name) {
			case "id":
				return kind === undefined
					? undefined
					: rows[(kind === "uber-fees" ? "fees" : kind) as keyof Rows];
			case "driverId":
				return [idOf("omar")];
			case "requestIds":
				return rows.approved.map((id) => [id]);
			case "ids":
				return rows.settlements.map((id) => [id]);
			case "asUser":
				return [idOf("dana")];
			case "requestId":
				return rows.requests;
			case "approvedAmount":
				return ["10.00"];
			case "key":
			case "email":
				return Array.from({ length: 50 }, (_, at) => `contract-${at}@milepost.test`);
			case "date":
			case "paidOn":
			case "endDate":
				return [daysAgo(0), daysAgo(1)];
			case "startDate":
				return [daysAgo(8)];
			case "from":
			case "week":
				return [monday(1), monday(2)];
			default:
				return undefined;
		}
	};

const FILE = {
	bytes: new TextEncoder().encode("Date,Name,Fee\n2026-11-02,Dana,3.10\n"),
	type: "text/csv",
};

async function play(
	client: Client,
	call: string,
	{ path, query, headers, body }: Played,
	token?: string,
	file: SentFile = { ...FILE, name: "file.csv" },
) {
	const [method = "", template = "", type = ""] = call.split(" ");
	const url = new URL(
		template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? "none")),
		fleet.origin,
	);
	for (const [name, value] of Object.entries(query))
		if (value !== undefined) url.searchParams.set(name, value);
	const sent = Object.fromEntries([
		...Object.entries(headers).flatMap(([name, value]) =>
			// A header has only what HTTP allows in one.
			value === undefined || !/^[\x20-\x7e]*$/.test(value) ? [] : [[name, value]],
		),
		...(token ? [["Authorization", `Bearer ${token}`]] : []),
	]) as Record<string, string>;
	const to = url.pathname + url.search;
	if (type !== "multipart/form-data") return client.call(method, to, body, { headers: sent });
	const fields = Object.entries((body ?? {}) as object).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)]],
	);
	const name = call.includes("/api/statements") ? "file" : "receipt";
	const form = await multipart(Object.fromEntries(fields), file, name);
	return client.request(to, { ...form, headers: { ...form.headers, ...sent } });
}

it("is an OpenAPI document by a public validator", async () => {
	const { valid, errors } = await new Validator().validate(
		document as object as Record<string, unknown>,
	);
	expect(errors).toBeUndefined();
	expect(valid).toBe(true);
});

it("takes each of its own examples, in this fleet's terms", async () => {
	const rows = await knownRows();
	const asking = [ada, await fleet.as("dana")];
	const faults: string[] = [];
	for (const [path, methods] of Object.entries(document.paths))
		for (const [method, { requestBody }] of Object.entries(methods))
			for (const [type, content] of Object.entries(requestBody?.content ?? {})) {
				const typical = typicalOf(path, rows);
				const inTerms = (example: object) =>
					Object.fromEntries(
						Object.entries(example).map(([name, value]) => [name, typical(name)?.[0] ?? value]),
					);
				for (const example of [content.example ?? {}, ...(content.schema?.examples ?? [])]) {
					const request = {
						...{
							path: { id: String(typical("id")?.[0] ?? rows.requests[0]) },
							query: {},
							headers: {},
						},
						body: inTerms(example),
					};
					const call = `${method.toUpperCase()} ${path} ${type}`;
					const file = path === "/api/statements" ? undefined : PNG;
					const answers = await Promise.all(
						asking.map((client) => play(client, call, request, undefined, file)),
					);
					// A row may be gone, decided or recorded already, and the file is no statement.
					if (!answers.some(({ status }) => status < 300 || [404, 409, 422].includes(status)))
						faults.push(`${call}: ${answers.map(({ text }) => text.slice(0, 150)).join(" ")}`);
				}
			}
	expect(faults).toEqual([]);
});

it("describes every answer to everyone who may ask", async () => {
	const made = await ada.call("POST", "/api/admin/create", {
		...{ email: "vera@milepost.test", firstName: "Vera", lastName: "Viewer", role: "viewer" },
	});
	expect(made.status).toBe(201);
	const contract = new Contract(document);
	const rows = await knownRows();
	const ids = Object.values(rows).flat();
	const days = [0, 1, 20, 366, -1].map(daysAgo);
	const faults: string[] = [];
	const seen = new Map<number, number>();
	for (let round = 0; round < ROUNDS; round++) {
		const asking = await everyone();
		for (const [path, methods] of Object.entries(document.paths))
			for (const [method, operation] of Object.entries(methods)) {
				const types = Object.keys(operation.requestBody?.content ?? {});
				const type = types[round % types.length] ?? "";
				const played = fc.sample(requestsOf(operation, type, ids, days, typicalOf(path, rows)), {
					numRuns: asking.length,
					seed: SEED + round * 1000,
				});
				for (const [place, [who, client, token]] of asking.entries()) {
					const request = played[place] ?? expect.unreachable();
					const call = `${method.toUpperCase()} ${path} ${type}`;
					const answer = await play(client, call, request, token);
					seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
					const fault = contract.fault(path, method, answer);
					if (fault) faults.push(`${call} by ${who}: ${fault} to ${JSON.stringify(request)}`);
				}
			}
	}
	expect(faults.slice(0, 20)).toEqual([]);
	const count = [...seen.values()].reduce((sum, each) => sum + each, 0);
	expect(count).toBeGreaterThan(ROUNDS * 300);
	expect(seen.get(201)).toBeGreaterThan(ROUNDS);
	console.log(`${count} requests: ${JSON.stringify(Object.fromEntries([...seen].sort()))}`);
}, 3_600_000);
