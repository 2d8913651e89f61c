/** Where the commands of docs/operations.md run: one operator's machine and Cloudflare account. */
import { writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { CLIENTS, openRealProvider } from "../oidc/real-provider.ts";
import type { ProgramResult } from "../support/admin-tool.ts";
import { currentTime } from "../support/clock.ts";
import { ORIGIN, startOperator } from "../support/operator.ts";
import { Client } from "../support/worker.ts";
import { type Command, HANDBOOK } from "./handbook.ts";

/** Sets up an empty account, and an OpenID provider that people sign in with. */
export async function setStage() {
	const [operator, provider] = await Promise.all([
		startOperator(),
		openRealProvider({ callback: `${ORIGIN}/api/callback`, claimsInToken: true }),
	]);
	const { cloudflare } = operator;
	const { account } = cloudflare;
	for (const [name, email] of [
		["bo", "bo@example.com"],
		["you", "you@example.com"],
		["else", "else@example.com"],
	] as const)
		provider.people.set(name, { email, email_verified: true });
	const [example] = JSON.parse(/```json\n(.*)\n```/.exec(HANDBOOK)?.[1] ?? "[]");
	const own = { ...example, issuer: provider.issuer, ...CLIENTS.confidential };
	const writeProviders = (providers: readonly object[]) =>
		writeFile(operator.pathOf("../providers.json"), JSON.stringify(providers));
	await writeProviders([own]);

	function idOf(name: string): string {
		const found = [...account.databases.values()].find((each) => each.name === name);
		return found?.uuid ?? expect.unreachable(`no database ${name}`);
	}
	/** Reads a database of the account directly, without Cloudflare's API. */
	async function rows<Row = Record<string, unknown>>(sql: string, name = "milepost") {
		const database = await account.runtime.database(idOf(name));
		return (await database.prepare(sql).all<Row>()).results;
	}
	async function signIn(person: string): Promise<Client> {
		const browser = new Client(cloudflare.site(ORIGIN));
		const started = await browser.get("/api/login");
		const back = new URL(await provider.pass(started.headers.get("Location") ?? "", person));
		expect((await browser.get(back.pathname + back.search)).status).toBe(303);
		return browser;
	}
	const script = (name = "milepost") =>
		account.scripts.get(name) ?? expect.unreachable(`no Worker ${name}`);
	/** What /healthz tells a monitor. */
	async function health() {
		const { status, text } = await new Client(cloudflare.site(ORIGIN)).get("/healthz", {
			mayFail: true,
		});
		const told: Record<string, unknown> = JSON.parse(text);
		return { ...told, code: status, schema: told.schema };
	}
	let browser: Client | undefined;
	return {
		operator,
		cloudflare,
		provider,
		account,
		rows,
		loseDatabase: (name: string) => account.runtime.lose(idOf(name)),
		signIn,
		writeProviders,
		script,
		health,
		/** What the operator notes down for later. */
		kept: { bookmark: "", release: "" },
		release: () => script().deployments[0] ?? "",
		/** The browser of Bo, an administrator. */
		browser: async () => {
			browser ??= await signIn("bo");
			return browser;
		},
		/** Forgets Bo's session, which has ended. */
		forgetBrowser() {
			browser = undefined;
		},
		/** Runs the scheduled tasks of the last hour, minute by minute, until the export is complete. */
		async runNight() {
			const { runtime } = account;
			const { lines } = cloudflare.site(ORIGIN);
			const from = lines.length;
			const isWhole = () => lines.slice(from).some((line) => line.startsWith('{"export":'));
			for (let minute = 60; minute > 0 && !isWhole(); minute--)
				await runtime.runMinute("milepost", currentTime() - minute * 60_000);
			await expect.poll(isWhole).toBe(true);
		},
		close: () => Promise.all([operator.close(), provider.close()]),
	};
}
export type Stage = Awaited<ReturnType<typeof setStage>>;

type Said = {
	/** Replacements for the example values that the document gives. */
	readonly with?: Readonly<Record<string, string>>;
	/** Standard input: what the operator types. */
	readonly input?: string;
	readonly env?: Record<string, string>;
};

/** A command of the document, and what is expected of it. */
export type Play = Command & {
	readonly play: (
		stage: Stage,
		/** Runs the command, expects it to succeed, and returns what it printed. */
		run: (said?: Said) => Promise<string>,
	) => Promise<void>;
};

/** Runs a command of the document and checks what is expected of it. */
export async function perform({ words, play }: Play, stage: Stage): Promise<void> {
	stage.cloudflare.mishap = () => undefined;
	await play(stage, async ({ with: values = {}, input, env } = {}) => {
		let line = words;
		for (const [example, value] of Object.entries(values)) {
			expect(line).toContain(example);
			line = line.replaceAll(example, value);
		}
		const ran: ProgramResult = await stage.operator.shell(line, input, env);
		expect(ran, `${line}\n${ran.err}\n${ran.out}`).toMatchObject({ code: 0 });
		return ran.out;
	});
}
