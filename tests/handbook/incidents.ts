/**
 * Incidents: the database is down, books don't balance, no one can sign in, secrets have leaked.
 */
import { expect } from "vitest";
import type { Play, Stage } from "./stage.ts";

const DATABASE = "milepost-restored";
const totals = ({ rows }: Stage) =>
	rows("select * from block_totals order by driver_id, days, first_day", DATABASE);

const INCIDENTS_TABLE: readonly Play[] = [
	{
		chapter: "Incidents",
		words: "npm run doctor -- --remote",
		play: async (stage, run) => {
			const bringBack = stage.loseDatabase(DATABASE);
			expect(await stage.health()).toMatchObject({ code: 503, database: "failing" });
			bringBack();
			expect(await run()).toMatch(/^Nothing is wrong with the deployed fleet\.$/m);
			expect(await stage.health()).toMatchObject({ code: 200, database: "ok" });
		},
	},
	{
		chapter: "Incidents",
		words: "npm run admin -- recount --remote",
		play: async (stage, run) => {
			const before = await totals(stage);
			await stage.rows("update block_totals set gas_cents = gas_cents + 1", DATABASE);
			expect(await totals(stage)).not.toEqual(before);
			expect(await run()).toMatch(/totals for \d+ drivers? were recalculated\.\n$/);
			expect(await totals(stage)).toEqual(before);
		},
	},
	{
		chapter: "Incidents",
		words: "npm run admin -- create you@example.com --first-name You --last-name Yourself --remote",
		play: async (stage, run) => {
			await stage.rows("update users set is_active = 0 where role = 'admin'", DATABASE);
			await run({ with: { "you@example.com": "else@example.com" } });
			const browser = await stage.signIn("else");
			const me = JSON.parse((await browser.get("/api/auth/user")).text);
			expect(me).toMatchObject({ email: "else@example.com", role: "admin" });
			await stage.rows("update users set is_active = 1 where role = 'admin'", DATABASE);
		},
	},
	{
		chapter: "Incidents",
		words: "npm run admin -- end-sessions them@example.com --remote",
		play: async (stage, run) => {
			const browser = await stage.signIn("you");
			expect((await browser.get("/api/auth/user")).status).toBe(200);
			expect(await run({ with: { "them@example.com": "you@example.com" } })).toBe(
				"you@example.com is signed out: 1 session ended.\n",
			);
			expect((await browser.get("/api/auth/user")).status).toBe(401);
		},
	},
];

/** Sets a secret with a command, and expects that this signs no one out. */
async function replaces(stage: Stage, name: string, run: () => Promise<string>): Promise<string> {
	const browser = await stage.signIn("bo");
	const before = stage.script().secrets.get(name);
	await run();
	const after = stage.script().secrets.get(name) ?? "";
	expect(after).not.toBe(before);
	expect((await browser.get("/api/auth/user")).status).toBe(200);
	expect(await stage.health()).toMatchObject({ code: 200 });
	return after;
}

const LEAKED: readonly Play[] = [
	{
		chapter: "Incidents",
		words: `node -p "crypto.randomBytes(32).toString('hex')" | npx wrangler secret put COOKIE_SECRET --env=""`,
		play: async (stage, run) => {
			expect(await replaces(stage, "COOKIE_SECRET", run)).toMatch(/^[0-9a-f]{64}$/);
		},
	},
	{
		chapter: "Incidents",
		words: "npm run setup -- --remote --replace providers --providers ../providers.json",
		play: async (stage, run) => {
			const [provider] = JSON.parse(stage.script().secrets.get("OIDC_PROVIDERS") ?? "[]");
			await stage.writeProviders([{ ...provider, name: "With another secret" }]);
			await replaces(stage, "OIDC_PROVIDERS", run);
		},
	},
	{
		chapter: "Incidents",
		words: 'npx wrangler secret put MAIL_API_KEY --env=""',
		play: async (stage, run) => {
			const key = await replaces(stage, "MAIL_API_KEY", () => run({ input: "re_2\n" }));
			expect(key).toBe("re_2");
		},
	},
	{
		chapter: "Incidents",
		words: 'npx wrangler secret put MAIL_WEBHOOK_SECRET --env=""',
		play: async (stage, run) => {
			const secret = `whsec_${"b".repeat(24)}`;
			await replaces(stage, "MAIL_WEBHOOK_SECRET", () => run({ input: `${secret}\n` }));
		},
	},
	{
		chapter: "Incidents",
		words: 'npx wrangler secret put ERROR_WEBHOOK --env=""',
		play: async (stage, run) => {
			const webhook = await replaces(stage, "ERROR_WEBHOOK", () =>
				run({ input: "https://hooks.example.com/new\n" }),
			);
			expect(webhook).toBe("https://hooks.example.com/new");
		},
	},
];

export const INCIDENTS = [...INCIDENTS_TABLE, ...LEAKED];
