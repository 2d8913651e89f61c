/**
 * `npm run admin -- ...`: what a fleet's operator does outside the portal. Any fault is one line
 * and a non-zero exit code.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { Database, PATIENT_ATTEMPTS } from "../app/db/client.server.ts";
import { recount } from "../app/domain/analytics/recount.server.ts";
import { redateRequests } from "../app/domain/fund-requests/commands/redate.server.ts";
import type { OperatorContext } from "../app/domain/kernel/context.ts";
import { roleOf, SHOWN_ROLES, type ShownRole } from "../app/domain/kernel/standing.ts";
import { changeRole } from "../app/domain/people/commands/change-role.server.ts";
import { endSessions } from "../app/domain/people/commands/end-sessions.server.ts";
import { inviteAdmin } from "../app/domain/people/commands/invite-admin.server.ts";
import { email, firstName, lastName } from "../app/domain/people/input.ts";
import { liveSessions, MAX_LISTED } from "../app/domain/people/live-sessions.server.ts";
import { displayName } from "../app/domain/people/rules.ts";
import { dateIn } from "../app/values/calendar-date.ts";
import { readArguments } from "./arguments.ts";
import { isUnmigrated, migrateFirst, remoteCommand } from "./commands.ts";
import { openLocalDatabase } from "./local-database.ts";
import { UnwritablePlace } from "./place-faults.ts";
import { RemoteAccessError, remoteAccess } from "./remote-access.ts";
import { remoteDatabase } from "./remote-database.ts";
import { stateFolder } from "./state-folder.ts";
import { fleetTimeZone, WranglerConfigError } from "./wrangler-config.ts";

const USAGE = `Usage: npm run admin -- <command> [options]

  create <email> --first-name <name> --last-name <name>
      Invites an administrator (the first or another). The person who signs in with this email, verified by a
      provider with "trustsEmail", within 72 hours gets full access. Run it again to renew an unclaimed invitation.
  sessions [email]
      Lists signed-in users: name, start, last seen, and the session's reference in the audit log.
  end-sessions <email>
      Signs that person out everywhere.
  role <email> admin|viewer|driver|none
      Changes a role and signs that person out everywhere. "viewer" is an accountant, who sees everything and changes
      nothing. "none" keeps their history but removes all access.
      For someone whose email no provider verifies, put their session's reference ("sessions" lists it) in its place.
  recount
      Dates every fund request in the fleet's time zone (FLEET_TIME_ZONE, or America/New_York if it isn't set; with
      --remote, the one in wrangler.toml) and recalculates all totals from the rows. Use it after changing the zone;
      safe to run at any time.

  --remote   Uses the deployed database instead of the one in this folder. CLOUDFLARE_API_TOKEN must be a
             token that can edit D1, and CLOUDFLARE_ACCOUNT_ID (or account_id in wrangler.toml) must be its account.
  --help     Shows this help.

The local database is the one "npm start" serves, in .milepost or MILEPOST_STATE; it may be running.`;

/** Exits with a one-line error. */
class Fault extends Error {}

const OPTIONS = {
	"first-name": { type: "string" },
	"last-name": { type: "string" },
	remote: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

function argumentsOf(args: string[]) {
	return readArguments(
		{ args, options: OPTIONS, allowPositionals: true },
		(reason) => new Fault(`${reason}. See npm run admin -- --help`),
	);
}
type Values = ReturnType<typeof argumentsOf>["values"];

/**
 * Text that the application's form would accept too; otherwise fails with the form's own message.
 */
function parseText<Schema extends v.GenericSchema<unknown, string>>(
	schema: Schema,
	text: string | undefined,
): string {
	const result = v.safeParse(schema, text);
	if (result.success) return result.output;
	throw new Fault(`${result.issues[0].message}.`);
}

type Job = (operator: OperatorContext) => Promise<string>;

/** A moment, UTC to the minute. */
const formatMoment = (at: number) =>
	`${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const unknown = (address: string) =>
	new Fault(`No account has the email ${address}. Unverified emails don't count.`);

/** The job of a command line, checked completely before the database is opened. */
function jobFrom([command, ...rest]: string[], values: Values): Job {
	const arity = {
		create: 1,
		sessions: rest.length === 0 ? 0 : 1,
		"end-sessions": 1,
		role: 2,
		recount: 0,
	}[command ?? ""];
	if (command === undefined)
		throw new Fault(
			"Specify a command: create, sessions, end-sessions, role or recount. See npm run admin -- --help",
		);
	if (arity === undefined)
		throw new Fault(`Unknown command "${command}". See npm run admin -- --help`);
	if (rest.length !== arity)
		throw new Fault(
			`"${command}" takes ${["no arguments", "one email", "an email and a role"][arity]}. See npm run admin -- --help`,
		);
	if (
		command !== "create" &&
		(values["first-name"] !== undefined || values["last-name"] !== undefined)
	)
		throw new Fault(`"${command}" doesn't take a name. See npm run admin -- --help`);
	if (command === "recount") return (operator) => recountAll(operator, values.remote);
	const session = command === "role" ? /^[0-9a-f]{16}$/.exec(rest[0] ?? "")?.[0] : undefined;
	if (session) {
		const role = roleFrom(rest[1]);
		return (operator) => giveRole(operator, { session }, role);
	}
	const address = arity === 0 ? undefined : parseText(email, rest[0]);
	if (address === undefined || command === "sessions")
		return (operator) => listSessions(operator, address);
	if (command === "end-sessions") return (operator) => signOut(operator, address);
	if (command === "create") {
		const input = {
			email: address,
			firstName: parseText(firstName, values["first-name"]),
			lastName: parseText(lastName, values["last-name"]),
		};
		return (operator) => create(operator, input, values.remote);
	}
	const role = roleFrom(rest[1]);
	return (operator) => giveRole(operator, address, role);
}

function roleFrom(word: string | undefined): ShownRole {
	const role = SHOWN_ROLES.find((each) => each === word);
	if (!role) throw new Fault(`The role must be admin, viewer, driver or none, not "${word}".`);
	return role;
}

async function create(
	operator: OperatorContext,
	input: Parameters<typeof inviteAdmin>[1],
	isRemote: boolean,
): Promise<string> {
	const outcome = await inviteAdmin(operator, input);
	if (outcome.ok) {
		const { user, isRenewed } = outcome.value;
		return `${displayName(user)} is ${isRenewed ? "invited again" : "invited"} as an administrator until ${formatMoment(user.inviteExpiresAt ?? 0)}: sign in as ${input.email}.`;
	}
	const holder = outcome.details;
	const args = ["role", input.email, "admin"];
	const command = isRemote ? remoteCommand("admin", args) : `npm run admin -- ${args.join(" ")}`;
	throw new Fault(
		`${input.email} already belongs to ${holder ? `${displayName(holder)} (${roleOf(holder)}); nothing was changed. To change the role: ${command}` : "another account."}`,
	);
}

async function listSessions(
	operator: OperatorContext,
	address: string | undefined,
): Promise<string> {
	const outcome = await liveSessions(operator, address);
	if (!outcome.ok) throw unknown(address ?? "");
	const rows = outcome.value;
	if (rows.length === 0) return "No one is signed in.";
	const table = [
		["Name", "Email", "Role", "Started", "Last seen", "Reference"],
		...rows.map((row) => [
			displayName(row),
			row.email ?? "-",
			row.role,
			formatMoment(row.startedAt),
			formatMoment(row.lastSeenAt),
			row.ref,
		]),
	];
	const widths =
		table[0]?.map((_, column) =>
			Math.max(...table.map((cells) => [...(cells[column] ?? "")].length)),
		) ?? [];
	const lines = table.map((cells) =>
		cells
			.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length))
			.join("  ")
			.trimEnd(),
	);
	return [
		...lines,
		...(rows.length === MAX_LISTED
			? [`Only the ${MAX_LISTED} most recently seen are listed.`]
			: []),
	].join("\n");
}

async function signOut(operator: OperatorContext, address: string): Promise<string> {
	const outcome = await endSessions(operator, address);
	if (!outcome.ok) throw unknown(address);
	return outcome.value === 0
		? `${address} wasn't signed in.`
		: `${address} is signed out: ${outcome.value} ${outcome.value === 1 ? "session" : "sessions"} ended.`;
}

const ROLE_NAMES = {
	admin: "an administrator",
	viewer: "an accountant",
	driver: "a driver",
	none: "without a role",
} as const;

async function giveRole(
	operator: OperatorContext,
	who: string | { readonly session: string },
	role: ShownRole,
): Promise<string> {
	const outcome = await changeRole(operator, who, role);
	if (outcome.ok)
		return `${displayName(outcome.value)} is now ${ROLE_NAMES[role]} and is signed out everywhere.`;
	switch (outcome.reason) {
		case "not-found":
			throw typeof who === "string"
				? unknown(who)
				: new Fault(`No session has the reference ${who.session}: "sessions" lists them.`);
		case "unchanged":
			return `${displayName(outcome.details)} is already ${ROLE_NAMES[role]}. Nothing was changed.`;
		case "last-admin":
			throw new Fault(
				`${displayName(outcome.details)} is the last administrator who can sign in. Create another one first.`,
			);
		case "has-driver-code":
			throw new Fault(
				`${displayName(outcome.details)} has a driver ID, which only drivers can have. Create an administrator or accountant with a different email.`,
			);
	}
}

async function recountAll(operator: OperatorContext, isRemote: boolean): Promise<string> {
	const zone = fleetTimeZone(isRemote);
	const moved = await redateRequests(operator, zone);
	const drivers = await recount(operator.db, dateIn(zone, operator.now));
	return `${moved} ${moved === 1 ? "request has" : "requests have"} a new date in ${zone}; totals for ${drivers} ${drivers === 1 ? "driver" : "drivers"} were recalculated.`;
}

/** Runs a job on the deployed database, or on the one in the state folder. */
async function run(job: Job, isRemote: boolean): Promise<string> {
	const now = Date.now();
	if (isRemote)
		return job({ role: "operator", db: new Database(remoteDatabase(remoteAccess())), now });
	const state = stateFolder();
	if (!existsSync(join(state, "d1")))
		throw new Fault(`No database in ${state} yet. Run npm start once, or set MILEPOST_STATE.`);
	const { db, close } = await openLocalDatabase(state);
	try {
		const patient = new Database(db, undefined, PATIENT_ATTEMPTS);
		return await job({ role: "operator", db: patient, now });
	} finally {
		await close();
	}
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Errors whose message is shown as is. */
const EXPECTED_ERRORS = [Fault, RemoteAccessError, UnwritablePlace, WranglerConfigError];

/** The error in one line. */
function lineOf(error: unknown): string {
	if (EXPECTED_ERRORS.some((kind) => error instanceof kind)) return messageOf(error);
	const text = messageOf(error);
	if (/SQLITE_BUSY|database is locked|keeps it locked/.test(text) && !/internal error/.test(text))
		return "Another program is writing to the database right now. Nothing was changed; please try again.";
	if (isUnmigrated(text)) return migrateFirst();
	return `The database can't be used: ${text.replace(/\s+/g, " ").slice(0, 500)}`;
}

try {
	const { values, positionals } = argumentsOf(process.argv.slice(2));
	console.log(values.help ? USAGE : await run(jobFrom(positionals, values), values.remote));
} catch (error) {
	console.error(lineOf(error));
	process.exitCode = 1;
}
