/** What `npm run backup` and `npm run restore` share. */
import { readArguments } from "./arguments.ts";
import { BackupError } from "./backup-file.ts";
import { isUnmigrated, migrateFirst } from "./commands.ts";
import { isDiskFull, isOfFile, UnwritablePlace } from "./place-faults.ts";
import { RemoteAccessError } from "./remote-access.ts";
import { RemoteDatabaseError } from "./remote-database.ts";
import { WranglerConfigError } from "./wrangler-config.ts";

/** @returns no folder if help was requested */
export function optionsFrom(name: "to" | "from"): {
	folder: string | undefined;
	isRemote: boolean;
} {
	const script = name === "to" ? "backup" : "restore";
	const fault = (reason: string) => new BackupError(`${reason}. See npm run ${script} -- --help`);
	const options = {
		[name]: { type: "string" },
		remote: { type: "boolean", default: false },
		help: { type: "boolean", short: "h", default: false },
	} as const;
	const { values } = readArguments({ options }, fault);
	const folder = values[name];
	if (values.help) return { folder: undefined, isRemote: false };
	if (typeof folder !== "string" || folder === "")
		throw fault(`Specify a folder: --${name} FOLDER`);
	return { folder, isRemote: values.remote === true };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const EXPECTED = [
	BackupError,
	RemoteAccessError,
	RemoteDatabaseError,
	UnwritablePlace,
	WranglerConfigError,
];

/** What is wrong, in one line. */
function lineOf(error: unknown, text: string): string {
	if (isUnmigrated(text) && !(error instanceof BackupError))
		return `${migrateFirst()}. Until then, only the release that it belongs to can use it.`;
	if (EXPECTED.some((kind) => error instanceof kind)) return text;
	if (isDiskFull(error)) return `The disk is full: make room, and run this again (${text}).`;
	return `${isOfFile(error) ? "A file or folder" : "The database"} can't be used: ${text}`;
}

/** Runs a tool that always ends with one line. */
export async function runTool(tool: () => Promise<string>): Promise<void> {
	try {
		console.log(await tool());
	} catch (error) {
		const text = messageOf(error).replace(/\s+/g, " ").slice(0, 500);
		console.error(lineOf(error, text));
		process.exitCode = 1;
	}
}
