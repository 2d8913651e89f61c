/** The setup steps that let people in: secrets, the schema, the first administrator. */
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { Database } from "../app/db/client.server.ts";
import { inviteAdmin } from "../app/domain/people/commands/invite-admin.server.ts";
import { email, firstName, lastName } from "../app/domain/people/input.ts";
import type { AccountApi } from "./cloudflare-api.ts";
import { deployCommand, remoteCommand } from "./commands.ts";
import { appliedMigrations, deploymentIn, pendingMigrations, workerOn } from "./deployment.ts";
import { whyNotMigrated } from "./migrate.ts";
import type { Ask } from "./questions.ts";
import { type CloudflareAccess, databaseAccess } from "./remote-access.ts";
import { remoteDatabase } from "./remote-database.ts";
import { SetupFault, type SetupOptions } from "./setup-options.ts";
import { settingFault } from "./setup-place.ts";
import { askProviders, putSecrets } from "./setup-providers.ts";

const databaseOf = (env: string, access: CloudflareAccess) =>
	remoteDatabase(databaseAccess(access, deploymentIn(env).database.id));

type OptionalSecret = {
	readonly name: "ERROR_WEBHOOK" | "MAIL_WEBHOOK_SECRET";
	readonly text: string;
	/** Only asked for when this one is set for the first time. */
	readonly goesWith: string;
	readonly isWanted: (vars: Readonly<Record<string, unknown>>) => boolean;
};
const OPTIONAL_SECRETS: readonly OptionalSecret[] = [
	{
		name: "MAIL_WEBHOOK_SECRET",
		text: "The signing secret of Resend's webhook (whsec_..., or none): without it bounces aren't shown",
		goesWith: "MAIL_API_KEY",
		isWanted: ({ MAIL_PROVIDER }) => MAIL_PROVIDER === "resend",
	},
	{
		name: "ERROR_WEBHOOK",
		text: "The https URL that faults are reported to, such as a Slack webhook (or none)",
		goesWith: "COOKIE_SECRET",
		isWanted: () => true,
	},
];

/** Sets the missing secrets. Existing ones are never shown or changed. */
export async function setUpSecrets(
	env: string,
	api: AccountApi,
	given: SetupOptions,
	ask: Ask,
): Promise<void> {
	const { worker, vars } = deploymentIn(env);
	const known = (await workerOn(api, worker))?.secrets ?? new Set();
	const fresh: Record<string, string> = {};
	if (!known.has("COOKIE_SECRET")) fresh.COOKIE_SECRET = randomBytes(32).toString("hex");
	if (!known.has("OIDC_PROVIDERS")) fresh.OIDC_PROVIDERS = await askProviders(given.providers, ask);
	if (vars.MAIL_PROVIDER === "resend" && !known.has("MAIL_API_KEY"))
		fresh.MAIL_API_KEY = await ask(
			{ text: "The email provider's API key", flag: "the environment variable MAIL_API_KEY" },
			process.env.MAIL_API_KEY,
		);
	for (const each of OPTIONAL_SECRETS) {
		const { name, text, isWanted } = each;
		// A declined secret is asked for only once, together with the ones that depend on it.
		const isNew = isWanted(vars) && (each.goesWith in fresh || process.env[name] !== undefined);
		if (known.has(name) || !isNew) continue;
		const answer = await ask(
			{
				text,
				otherwise: "none",
				isOptional: true,
				flag: `the environment variable ${name}`,
				fault: (value) => (value === "none" ? undefined : settingFault(name, value)),
			},
			process.env[name],
		);
		if (answer !== "none") fresh[name] = answer;
	}
	const names = Object.keys(fresh);
	if (names.length > 0) await putSecrets(env, fresh);
	console.log(`Secrets: ${names.length > 0 ? `${names.join(", ")} set` : "all are set"}.`);
}

export async function setUpSchema(env: string, access: CloudflareAccess): Promise<void> {
	const db = databaseOf(env, access);
	const applied = await appliedMigrations(db);
	if (applied.length > 0) {
		// Later migrations belong to a release: deploying applies them, after a bookmark.
		console.log("Schema: exists; deploying brings it up to date.");
		return;
	}
	const reason = await whyNotMigrated(db);
	const [left] = pendingMigrations(await appliedMigrations(db));
	if (left)
		throw new SetupFault(
			`Migration ${left} was refused (${reason}), and all of it was undone: fix that and run ${deployCommand(env)}, which picks up from there.`,
		);
	console.log("Schema: created.");
}

/** Turns a form's rule into a question's. */
const fieldFault =
	(schema: v.GenericSchema<unknown, string>) =>
	(answer: string): string | undefined =>
		v.safeParse(schema, answer).issues?.[0].message;

const CAN_COME_IN = `select id from users where role = 'admin' and is_active = 1 and deleted_at is null
	and (claimed_at is not null or invite_expires_at > ?) limit 1`;

/** The message if the email is taken here. */
export const emailTaken = (address: string, env: string) =>
	new SetupFault(
		`${address} already belongs to someone: ${remoteCommand("admin", ["role", address, "admin"], env)} makes them an administrator.`,
	);

/** Invites an administrator if there is none. */
export async function setUpAdministrator(
	env: string,
	access: CloudflareAccess,
	given: SetupOptions,
	ask: Ask,
): Promise<void> {
	const db = databaseOf(env, access);
	const now = Date.now();
	if ((await db.prepare(CAN_COME_IN).bind(now).all()).results.length > 0) {
		console.log("Administrator: there is one, or a valid invitation.");
		return;
	}
	const input = {
		email: await ask(
			{
				text: "The first administrator's email, as their provider knows it",
				flag: "--admin-email",
				fault: fieldFault(email),
			},
			given["admin-email"],
		),
		firstName: await ask(
			{ text: "Their first name", flag: "--first-name", fault: fieldFault(firstName) },
			given["first-name"],
		),
		lastName: await ask(
			{ text: "Their last name", flag: "--last-name", fault: fieldFault(lastName) },
			given["last-name"],
		),
	};
	const outcome = await inviteAdmin({ role: "operator", db: new Database(db), now }, input);
	if (!outcome.ok) throw emailTaken(input.email, env);
	console.log(
		`Administrator: ${input.email} is invited, and has 72 hours to sign in for the first time.`,
	);
}
