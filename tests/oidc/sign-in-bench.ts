/** A fleet running the production bundle with real OpenID providers, and ways to sign in to it. */
import { createHash, randomUUID } from "node:crypto";
import { afterAll, expect } from "vitest";
import { currentTime } from "../support/clock.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";
import { CLIENTS, openRealProvider, type RealProvider } from "./real-provider.ts";

export const ORIGIN = "http://localhost:8787";
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const production = { kind: "production", seed: "nobody", origin: ORIGIN } as const;
export const providers = (list: unknown) => ({ vars: { OIDC_PROVIDERS: JSON.stringify(list) } });

/** Starts at /api/login, signs in at the provider, and returns the callback's response. */
export async function enter(
	client: Client,
	provider: RealProvider,
	login: string,
	query: Record<string, string>,
): Promise<Answer> {
	const started = await client.get(`/api/login?${new URLSearchParams(query)}`);
	expect(started.status, started.text.slice(0, 300)).toBe(302);
	const back = new URL(await provider.pass(started.headers.get("Location") ?? "", login));
	return client.get(back.pathname + back.search);
}
export type Person = {
	id: string;
	role: string;
	email: string | null;
	unverified_email: string | null;
	claimed_at: number | null;
};
export const tokenHashOf = (client: Client) =>
	createHash("sha256")
		.update((client.cookies.get("sid") ?? "").slice(0, 43))
		.digest("hex");
export type Session = {
	created_at: number;
	last_seen_at: number;
	expires_at: number;
	ends_at: number;
	ended_at: number | null;
	ended_reason: string | null;
};

/**
 * Whether a client is signed in: visitors get the landing screen, everyone else a portal or a gate.
 */
export const isSignedIn = async (client: Client) =>
	!(await client.get("/")).text.includes("Secure access for drivers and fleet administrators");

/** Starts the providers and the fleet, and stops them after the test file. */
export async function openSignIn() {
	/** As in the standard: the email comes from userinfo. */
	const company = await openRealProvider({ callback: `${ORIGIN}/api/callback` });
	/** As with the large providers: everything is in the ID token. */
	const large = await openRealProvider({ callback: `${ORIGIN}/api/callback`, claimsInToken: true });
	/** One that doesn't support choosing an account. */
	const plain = await openRealProvider({ callback: `${ORIGIN}/api/callback`, offersChoice: false });
	afterAll(() => Promise.all([company, large, plain].map((provider) => provider.close())));

	const PROVIDERS = [
		{
			id: "company",
			name: "Company",
			issuer: company.issuer,
			...CLIENTS.confidential,
			trustsEmail: true,
		},
		{ id: "large", name: "Large", issuer: large.issuer, ...CLIENTS.public, trustsEmail: true },
		{ id: "plain", name: "Plain", issuer: plain.issuer, ...CLIENTS.public },
		{ id: "doubtful", name: "Doubtful", issuer: large.issuer, ...CLIENTS.confidential },
	];
	const fleet = await openFleet({ ...production, ...providers(PROVIDERS) });
	const viaCompany = (client: Client, login: string, more = {}) =>
		enter(client, company, login, { provider: "company", ...more });
	const viaLarge = (client: Client, login: string, more = {}) =>
		enter(client, large, login, { provider: "large", ...more });
	const whoIs = async (login: string, issuer: string) =>
		(
			await fleet.sql<Person>(
				"select users.* from users join identities on user_id = users.id where issuer = ? and subject = ?",
				issuer,
				login,
			)
		)[0];

	/** Inserts an invitation as an administrator would create it. */
	async function invite(
		email: string,
		role: "driver" | "admin",
		{ expiresIn = HOUR, isCancelled = false } = {},
	): Promise<string> {
		const id = randomUUID();
		const now = currentTime();
		await fleet.sql(
			`insert into users (id, role, first_name, last_name, email, approval_status, is_active, created_at, approved_at, invited_at, invite_expires_at, deleted_at)
			values (?, ?, 'Invited', 'Person', ?, 'approved', 1, ?, ?, ?, ?, ?)`,
			...[
				id,
				role,
				email,
				now - DAY,
				now - DAY,
				now - DAY,
				now + expiresIn,
				isCancelled ? now - HOUR : null,
			],
		);
		return id;
	}
	const sessionOf = async (tokenHash: string) =>
		(await fleet.sql<Session>("select * from sessions where token_hash = ?", tokenHash))[0];
	const sessionOwner = async (client: Client) =>
		(
			await fleet.sql<{ subject: string }>(
				"select subject from identities join sessions using (user_id) where token_hash = ?",
				tokenHashOf(client),
			)
		)[0];
	return {
		company,
		large,
		plain,
		PROVIDERS,
		fleet,
		viaCompany,
		viaLarge,
		whoIs,
		invite,
		sessionOf,
		sessionOwner,
	};
}
