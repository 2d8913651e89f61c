/** `npm run doctor`: checks a fleet without changing anything. */
import { readArguments } from "./arguments.ts";
import { BackupError } from "./backup-file.ts";
import { openFleet } from "./backup-place.ts";
import { runTool } from "./backup-tool.ts";
import { CHECKS, runCheck } from "./doctor-checks.ts";
import { bucketIn, readConfig } from "./wrangler-config.ts";

const USAGE = `Usage: npm run doctor [-- --remote] [--receipts 50]

Looks the fleet over and prints a line for each thing it looked at: the schema, references between rows, totals
and books recalculated, files of recent receipts, what should have been swept, email, the schedule, the
clock, the providers people sign in with and the administrators. Ends with 1 when anything is wrong; the line then says what to do. It changes
nothing, and the fleet may go on working.

  --remote     The deployed database and bucket. CLOUDFLARE_API_TOKEN has to be a token that may read D1 and R2.
  --receipts   How many recent receipts are read and compared with what came in; 50.
  --help       Prints this.`;

const OPTIONS = {
	remote: { type: "boolean", default: false },
	receipts: { type: "string", default: "50" },
	help: { type: "boolean", short: "h", default: false },
} as const;
const fault = (reason: string) => new BackupError(`${reason}. See npm run doctor -- --help`);

function optionsIn(args: string[]) {
	const { values } = readArguments({ args, options: OPTIONS }, fault);
	if (!/^\d{1,6}$/.test(values.receipts)) throw fault("--receipts takes a whole number");
	return values;
}

/** The deployed fleet's URL; tests have another. */
const addressOf = (origin: unknown) =>
	process.env.MILEPOST_SMOKE_URL ?? (typeof origin === "string" ? origin : "");

await runTool(async () => {
	const { remote: isDeployed, receipts, help } = optionsIn(process.argv.slice(2));
	if (help) return USAGE;
	const config = readConfig();
	const vars = isDeployed ? config.vars : process.env;
	const { MAIL_PROVIDER: provider, SESSION_RETENTION_DAYS: sessionDays, SWEEPER: sweeper } = vars;
	const place = await openFleet(isDeployed);
	try {
		const fleet = {
			db: place.db,
			archive: place.archive,
			receipts: place.receipts,
			now: Date.now(),
			sendsMail: typeof provider === "string" && provider !== "none",
			isDeployed,
			env: process.env.CLOUDFLARE_ENV ?? "",
			...(isDeployed ? { address: addressOf(config.vars.APP_ORIGIN) } : {}),
			sweeps: sweeper !== "off",
			hasBackups: bucketIn(config, "BACKUPS") !== undefined,
			sessionDays: Number(sessionDays) || 0,
			receiptsRead: Number(receipts),
		};
		let faults = 0;
		for (const name of Object.keys(CHECKS)) {
			const { isSound, words } = await runCheck(name, fleet);
			if (!isSound) faults += 1;
			console.log(`${isSound ? "ok    " : "WRONG "} ${name}: ${words}.`);
		}
		if (faults === 0) return `Nothing is wrong with ${place.name}.`;
		throw new BackupError(
			`${faults} of ${Object.keys(CHECKS).length} checks found something wrong with ${place.name}.`,
		);
	} finally {
		await place.close();
	}
});
