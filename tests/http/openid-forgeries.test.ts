import { afterAll, describe, expect, it } from "vitest";
import { report } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { FORGED } from "../oidc/forged-answers.ts";
import {
	anotherAttempt,
	attempt,
	type Case,
	claims,
	expectRefusal,
	fleet,
	hostile,
	query,
	replyWith,
	rows,
	seconds,
	tables,
	told,
	tryToSignIn,
} from "../oidc/forgery-bench.ts";

const figures = { refused: 0, admitted: 0 };

describe("a forged answer is refused", () => {
	it.each(FORGED)("%s", async (_, because, each) => {
		const { answer, client, before, seen } = await tryToSignIn(each);
		await expectRefusal(answer, client, before, seen, because);
		figures.refused += 1;
	});
});

/** [what is valid about it, how, what the new account then has] */
const GENUINE: readonly (readonly [string, Case, Readonly<Record<string, unknown>>?])[] = [
	[
		"a normal answer",
		{},
		{ first_name: "Hanna", last_name: "Honest", approval_status: "pending", role: "driver" },
	],
	[
		"several audiences with us as the authorized party",
		{ forgery: claims({ aud: ["milepost", "another-client"], azp: "milepost" }) },
	],
	["one audience in a list", { forgery: claims({ aud: ["milepost"] }) }],
	["us as the authorized party", { forgery: claims({ azp: "milepost" }) }],
	["PS256", { forgery: { header: { alg: "PS256", kid: "PS256" } } }],
	["ES256", { forgery: { header: { alg: "ES256", kid: "ES256" } } }],
	["EdDSA", { forgery: { header: { alg: "EdDSA", kid: "EdDSA" } } }],
	[
		"a key without an id, the only one of its algorithm",
		{ forgery: { header: { alg: "RS256" }, key: hostile.keys.get("RS256") } },
	],
	[
		"a provider whose clock is 45 seconds ahead",
		{ forgery: claims(() => ({ iat: seconds(45), nbf: seconds(45) })) },
	],
	[
		"a token that expired 15 seconds ago by our clock",
		{ forgery: claims(() => ({ iat: seconds(-60), exp: seconds(-15) })) },
	],
	["a token issued nine minutes ago", { forgery: claims(() => ({ iat: seconds(-540) })) }],
	["a subject of 255 characters", { subject: "s".repeat(255) }],
	[
		"an email only at userinfo",
		{ forgery: claims({ email: undefined, email_verified: undefined }), subject: "ulla" },
		{ email: "ulla@hostile.test" },
	],
	[
		"an unverified email",
		{ forgery: claims({ email_verified: "true" }), subject: "vera" },
		{ email: null, unverified_email: "vera@hostile.test" },
	],
	[
		"no email anywhere",
		{ forgery: { ...claims({ email: undefined }), userinfo: ({ sub }) => ({ sub }) } },
		{ email: null, unverified_email: null },
	],
	[
		"an invalid email",
		{ forgery: claims({ email: { toString: "x" } }) },
		{ email: null, unverified_email: null },
	],
	[
		"names that aren't text",
		{ forgery: claims({ given_name: ["x"], family_name: 7 }) },
		{ first_name: "", last_name: "" },
	],
	[
		"the issuer in the answer",
		{ bring: query((back) => back.searchParams.set("iss", hostile.issuer())) },
	],
	[
		"the issuer in the answer of a provider that promises it",
		{
			provider: "strict",
			bring: query((back) => back.searchParams.set("iss", hostile.issuer("strict"))),
		},
	],
	["a client that must post its secret", { provider: "posting" }],
	["unknown parameters", { bring: query((back) => back.searchParams.set("session_state", "abc")) }],
	[
		"an attempt started nine and a half minutes ago",
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt - 570_000 })) },
	],
	[
		"an attempt started where the clock is 30 seconds ahead",
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt + 30_000 })) },
	],
	[
		"a browser next to one that was refused",
		{
			bring: async () =>
				expect((await tryToSignIn({ forgery: claims({ nonce: "wrong" }) })).answer.status).toBe(
					400,
				),
		},
	],
];

describe("a genuine answer is accepted", () => {
	it.each(GENUINE.map(([name, each, expected = {}]) => ({ name, each, expected })))(
		"$name",
		async ({ each, expected }) => {
			const { answer, client, before } = await tryToSignIn(each);
			expect(answer.status, fleet.lines.filter((line) => line.includes("signIn")).at(-1)).toBe(303);
			expect(client.cookies.has("sid")).toBe(true);
			expect(client.cookies.has("login")).toBe(false);
			const after = await rows();
			// Two audit entries: the new person and their sign-in.
			const added = (table: string) => (table === "audit_events" ? 2 : 1);
			for (const table of tables)
				expect(after?.[table], table).toBe((before?.[table] ?? 0) + added(table));
			const [person] = await fleet.sql("select * from users order by rowid desc limit 1");
			expect(person).toMatchObject(expected);
			if (each.subject)
				expect(
					await fleet.sql("select issuer from identities where subject = ?", each.subject),
				).toHaveLength(1);
			figures.admitted += 1;
		},
	);
});

describe("a provider that can't be trusted isn't even visited", () => {
	const visit = async (provider: string) => {
		const answer = await fleet.client().get(`/api/login?provider=${provider}`, { mayFail: true });
		expect(answer.status).toBe(503);
		expect(answer.headers.get("Location")).toBeNull();
		expect(answer.headers.getSetCookie()).toEqual([]);
		return answer;
	};
	it.each([
		...["misnamed", "plain", "unlocked", "disguised", "tellall", "scripted", "partial"],
		...["listing", "elsewhere"],
	])("%s, which only the operator can mend", async (provider) => {
		const seen = fleet.lines.length;
		const answer = await visit(provider);
		expect(answer.text).toContain("Sign-in isn&#x27;t set up correctly. Tell your administrator.");
		const logged = () => fleet.lines.slice(seen).join("\n");
		await expect.poll(logged).toContain('"signInSetup":"Error: ');
		await expect.poll(() => told.join("\n")).toContain("Sign-in isn't set up correctly: ");
	});

	it("absent, which may come back", async () => {
		const answer = await visit("absent");
		expect(answer.headers.get("Retry-After")).toBe("10");
		expect(answer.text).toContain(
			"Provider absent can&#x27;t be reached right now. Please try again in a moment.",
		);
	});
});

it("says that an expired secret is for the administrator, and tells the webhook", async () => {
	const { answer, client, before, seen } = await tryToSignIn({
		forgery: replyWith(401, '{"error":"invalid_client"}'),
	});
	await expectRefusal(
		answer,
		client,
		before,
		seen,
		/the token endpoint returned 401 invalid_client/,
	);
	await expect.poll(() => told.join("\n")).toContain("401 invalid_client");
});

it("accepts no answer by POST, from a page or a provider", async () => {
	const { client, back } = await anotherAttempt();
	expect((await client.post("/api/callback", Object.fromEntries(back.searchParams))).status).toBe(
		405,
	);
	const foreign = await client.post(
		back.pathname + back.search,
		{},
		{ headers: { Origin: hostile.issuer(), "Sec-Fetch-Site": "cross-site" } },
	);
	expect(foreign.status).toBe(405);
	expect(client.cookies.has("sid")).toBe(false);
});

afterAll(() => {
	// Of every test: the Worker followed no redirect, and wrote no code, token or secret to the log.
	expect(hostile.calls.filter((path) => path.includes("elsewhere"))).toEqual([]);
	const log = fleet.lines.join("\n");
	expect(log).not.toMatch(/code-\d|access-|eyJ|the secret of the hostile|secret-code|state=/);
	report("identity", [
		mustBeZero(
			"forged answers of a provider",
			FORGED.length,
			"admitted",
			FORGED.length - figures.refused,
		),
		mustBeZero(
			"genuine answers of a provider",
			GENUINE.length,
			"refused",
			GENUINE.length - figures.admitted,
		),
	]);
});
