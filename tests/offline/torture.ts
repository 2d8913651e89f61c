/**
 * Scripted drivers in a real Chromium, on a connection that breaks at every point, with a Worker
 * that gets killed: everything they type must be stored exactly once. One seed determines
 * everything random.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { Miniflare } from "miniflare";
import { workerOptions } from "../../tools/local-worker.ts";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { seedOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { type Fault, FaultyNetwork } from "./faulty-network.ts";
import {
	fillRequest,
	fillTrip,
	logTrip,
	readPhoneStorage,
	submitRequest,
	waitForControl,
	waitUntilPrepared,
} from "./steps.ts";

export type TortureOptions = {
	readonly submissions: number;
	readonly seed: number;
	/** The path of Chromium. */
	readonly chromiumPath: string;
	/** Ports for the Worker and for the faulty network. */
	readonly ports: readonly [worker: number, network: number];
	/** Phones in use at the same time. */
	readonly atOnce: number;
	readonly say: (words: string) => void;
};

export type Figures = {
	submissions: number;
	withPhotos: number;
	lost: number;
	doubled: number;
	photosLost: number;
	typedTextLost: number;
	kills: number;
	/** How many submissions met each trouble. */
	readonly met: Record<string, number>;
};

/** Submissions per driver before their phone is checked and the next driver starts. */
const SUBMISSIONS_PER_DRIVER = 20;
const OUTCOME = /created successfully|submitted successfully|Saved on this phone|Already received/;

/**
 * What happens to a submission. `dead zone`: pages don't load either; `pocketed`: the window is
 * closed immediately; `killed`: the Worker is killed.
 */
const TROUBLES = [
	"none",
	"before",
	"during",
	"after",
	"slow",
	"silent",
	"unwell",
	"random",
	"dead zone",
	"pocketed",
	"killed",
] as const;
type Trouble = (typeof TROUBLES)[number];
const WEIGHTS: Readonly<Record<Trouble, number>> = {
	none: 8,
	before: 14,
	during: 12,
	after: 14,
	slow: 4,
	silent: 1,
	unwell: 6,
	random: 14,
	"dead zone": 14,
	pocketed: 7,
	killed: 6,
};

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** A Worker that can be killed and restarts with its committed data. */
class KillableWorker {
	kills = 0;
	private restarting: Promise<void> | undefined;
	private constructor(
		private worker: Miniflare,
		private readonly port: number,
		private readonly state: string,
		private readonly origin: string,
	) {}

	static async start(port: number, state: string, origin: string): Promise<KillableWorker> {
		const killableWorker = new KillableWorker(
			KillableWorker.create(port, state, origin),
			port,
			state,
			origin,
		);
		await killableWorker.worker.ready;
		return killableWorker;
	}

	private static create(port: number, state: string, origin: string): Miniflare {
		return new Miniflare(
			workerOptions({ port, state, vars: { APP_ORIGIN: origin }, onLine: () => undefined }),
		);
	}

	/** Kills workerd with SIGKILL and starts another on the same data. */
	kill(): Promise<void> {
		this.restarting ??= (async () => {
			this.kills += 1;
			await this.worker.dispose();
			await wait(100);
			this.worker = KillableWorker.create(this.port, this.state, this.origin);
			await this.worker.ready;
			this.restarting = undefined;
		})();
		return this.restarting;
	}

	get database(): Promise<D1Database> {
		return this.worker.getD1Database("DB") as unknown as Promise<D1Database>;
	}

	dispose(): Promise<void> {
		return this.worker.dispose();
	}
}

type Submission = { readonly text: string; readonly isRequest: boolean };

/** Runs everything and returns the counts, which the caller judges. */
export async function torture(options: TortureOptions): Promise<Figures> {
	const { submissions, seed, ports, atOnce, say } = options;
	const [workerPort, networkPort] = ports;
	const origin = `http://localhost:${networkPort}`;
	const state = mkdtempSync(join(tmpdir(), "milepost-torture-"));
	const killableWorker = await KillableWorker.start(workerPort, state, origin);
	const db = await killableWorker.database;
	await migrate(db);
	await insertSeed(db, seedOf(currentTime(), "everyone"));
	const drivers = Math.ceil(submissions / SUBMISSIONS_PER_DRIVER);
	await insertDrivers(db, drivers);
	const network = await FaultyNetwork.open(networkPort, workerPort);
	const faultRules = new Map<string, (method: string, path: string) => Fault>();
	network.faultFor = (method, path, cookie) =>
		faultRules.get(/phone=(\d+)/.exec(cookie)?.[1] ?? "")?.(method, path) ?? "none";
	const browser = await chromium.launch({
		executablePath: options.chromiumPath,
		args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
	});
	const figures: Figures = {
		submissions: 0,
		withPhotos: 0,
		lost: 0,
		doubled: 0,
		photosLost: 0,
		typedTextLost: 0,
		kills: 0,
		met: {},
	};
	const submitted: Submission[] = [];
	try {
		let next = 0;
		const runDrivers = async () => {
			for (;;) {
				const driver = next++;
				if (driver >= drivers) return;
				const count = Math.min(
					SUBMISSIONS_PER_DRIVER,
					submissions - driver * SUBMISSIONS_PER_DRIVER,
				);
				const phone = new Phone(
					browser,
					origin,
					driver,
					randomFrom(seed * 1000 + driver),
					faultRules,
					network,
					killableWorker,
					figures,
					say,
				);
				submitted.push(...(await phone.submitAll(count)));
				say(`${submitted.length} of ${submissions} submissions, ${killableWorker.kills} kills`);
			}
		};
		await Promise.all(Array.from({ length: atOnce }, runDrivers));
		figures.kills = killableWorker.kills;
		await count(await killableWorker.database, submitted, figures);
		return figures;
	} finally {
		await browser.close();
		await network.close();
		await killableWorker.dispose();
		rmSync(state, { recursive: true, force: true });
	}
}

const emailOf = (driver: number) => `torture${driver}@milepost.test`;

async function insertDrivers(db: D1Database, count: number): Promise<void> {
	for (let driver = 0; driver < count; driver++) {
		const id = `60000000-0000-4000-8000-${String(driver).padStart(12, "0")}`;
		await db
			.prepare(
				"insert into users (id, role, first_name, last_name, email, driver_number, approval_status, created_at, applied_at, approved_at) values (?, 'driver', 'Tess', 'Torture', ?, ?, 'approved', 1, 1, 1)",
			)
			.bind(id, emailOf(driver), 1000 + driver)
			.run();
		await db
			.prepare(
				"insert into identities (issuer, subject, user_id, created_at) values ('local-sign-in', ?, ?, 1)",
			)
			.bind(emailOf(driver), id)
			.run();
	}
}

/** A driver with a phone. */
class Phone {
	private readonly photo = readFileSync("tests/fixtures/receipts/baseline.jpg");
	private reading = 1000;

	constructor(
		private readonly browser: Browser,
		private readonly origin: string,
		private readonly driver: number,
		private readonly random: () => number,
		private readonly faultRules: Map<string, (method: string, path: string) => Fault>,
		private readonly network: FaultyNetwork,
		private readonly killableWorker: KillableWorker,
		private readonly figures: Figures,
		private readonly say: (words: string) => void,
	) {}

	private setFault(faultFor: ((method: string, path: string) => Fault) | undefined): void {
		this.network.hangUp();
		if (faultFor) this.faultRules.set(String(this.driver), faultFor);
		else this.faultRules.delete(String(this.driver));
	}

	/** Signs in, submits, gets back to a good connection, and waits until the outbox is empty. */
	async submitAll(count: number): Promise<Submission[]> {
		const context = await this.browser.newContext({
			baseURL: this.origin,
			viewport: { width: 360, height: 740 },
			reducedMotion: "reduce",
		});
		context.setDefaultTimeout(20_000);
		await context.addCookies([{ name: "phone", value: String(this.driver), url: this.origin }]);
		await this.retry(() =>
			context.request.post("/api/login", {
				form: { email: emailOf(this.driver) },
				headers: { Origin: this.origin },
			}),
		);
		let page = await context.newPage();
		await this.retry(async () => {
			await page.goto("/mileage");
			await waitForControl(page);
		});
		const submitted: Submission[] = [];
		for (let position = 0; position < count; position++) {
			const submission = {
				text: `Torture ${this.driver}-${position} ${randomUUID()}`,
				isRequest: position % 3 === 0,
			};
			page = await this.submit(context, page, submission);
			submitted.push(submission);
			this.figures.submissions += 1;
			if (submission.isRequest) this.figures.withPhotos += 1;
		}
		this.setFault(undefined);
		await this.retry(async () => {
			await page.goto("/history");
			for (let waited = 0; waited < 60; waited++) {
				if (
					(await readPhoneStorage(page)).entries.every(
						({ state }) => state === "sent" || state === "needs-you",
					)
				)
					return;
				await wait(500);
				if (waited % 10 === 9) await page.reload();
			}
		});
		for (const { state, message, fields } of (await readPhoneStorage(page)).entries)
			if (state === "needs-you") this.say(`Action needed: ${message} ${JSON.stringify(fields)}`);
		await context.close();
		return submitted;
	}

	/** Repeats work of the torture itself, which isn't under test, while the Worker is down. */
	private async retry<T>(work: () => Promise<T>): Promise<T> {
		for (let again = 0; ; again++) {
			try {
				return await work();
			} catch (error) {
				if (again === 8) throw error;
				await wait(500);
			}
		}
	}

	private pick(): Trouble {
		let left = this.random() * Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);
		for (const trouble of TROUBLES) {
			left -= WEIGHTS[trouble];
			if (left < 0) return trouble;
		}
		return "none";
	}

	private faultRuleOf(trouble: Trouble): ((method: string, path: string) => Fault) | undefined {
		const onForms = (fault: Fault) => (method: string, path: string) =>
			method === "POST" && !path.startsWith("/api/login") ? fault : "none";
		switch (trouble) {
			case "before":
			case "during":
			case "after":
			case "silent":
			case "unwell":
				return onForms(trouble);
			case "slow":
				return onForms(3000);
			case "dead zone":
				return () => "before";
			case "random":
				return (method) => {
					const dice = this.random();
					if (dice > 0.5) return "none";
					return method === "POST"
						? ((["before", "during", "after", 400] as const)[Math.floor(dice * 8)] ?? "none")
						: dice < 0.2
							? "before"
							: "none";
				};
			default:
				return undefined;
		}
	}

	/**
	 * Fills in a form and submits it, whatever happens. Returns the window that is open in the end.
	 */
	private async submit(
		context: BrowserContext,
		open: Page,
		{ text, isRequest }: Submission,
	): Promise<Page> {
		const trouble = this.pick();
		this.figures.met[trouble] = (this.figures.met[trouble] ?? 0) + 1;
		let page = open;
		const path = isRequest ? "/requests" : "/mileage";
		const faultFor = this.faultRuleOf(trouble);
		if (trouble === "dead zone") this.setFault(faultFor);
		else if (this.random() < 0.5) this.setFault(undefined);
		this.reading += 20;
		const trip = { start: this.reading, notes: text };
		await this.reach(page, path);
		await (isRequest ? fillRequest(page, text, this.photo) : fillTrip(page, trip));
		this.setFault(faultFor);
		const press = () => (isRequest ? submitRequest(page) : logTrip(page));
		if (trouble === "killed") void wait(this.random() * 400).then(() => this.killableWorker.kill());
		if (trouble === "pocketed") {
			// Text is saved as a draft while typing; then the window closes with the press of the button.
			await this.waitForDraft(page, text);
			await Promise.race([press().catch(() => undefined), wait(this.random() * 300)]);
			await page.close();
			page = await context.newPage();
			return this.recover(page, path, text, isRequest);
		}
		await press().catch(() => undefined);
		const isSettled = await page
			.getByText(OUTCOME)
			.first()
			.waitFor({ timeout: 18_000 })
			.then(
				() => true,
				() => false,
			);
		return isSettled ? page : this.recover(page, path, text, isRequest);
	}

	/**
	 * Waits until the draft is saved, which on a busy phone takes longer than the usual pause after
	 * typing.
	 */
	private async waitForDraft(page: Page, text: string): Promise<void> {
		for (let again = 0; again < 100; again++) {
			if (JSON.stringify((await readPhoneStorage(page)).drafts).includes(text)) return;
			await wait(100);
		}
	}

	/** Opens the form, from the server or from the phone, ready to be filled in. */
	private async reach(page: Page, path: string): Promise<void> {
		await this.retry(async () => {
			await page.goto(path);
			await page.locator("form[data-outbox-form]").first().waitFor();
			await waitUntilPrepared(page);
			// Removes an earlier draft.
			for (const button of await page.getByRole("button", { name: "Clear" }).all())
				await button.click();
		});
	}

	/**
	 * Finds what was typed in the outbox, in the database, or restored in its form, and sends it
	 * again from there.
	 */
	private async recover(page: Page, path: string, text: string, isRequest: boolean): Promise<Page> {
		this.setFault(undefined);
		for (let again = 0; again < 4; again++) {
			await this.retry(async () => {
				await page.goto(path);
				await waitUntilPrepared(page);
			});
			const field = page
				.locator("form[data-outbox-form]")
				.getByLabel(isRequest ? "Description" : "Notes");
			if ((await field.inputValue()) === text) {
				// A photo can't be restored into a form, so it is chosen again.
				if (isRequest)
					await page
						.getByLabel("Receipt", { exact: true })
						.setInputFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: this.photo });
				await (isRequest ? submitRequest(page) : logTrip(page)).catch(() => undefined);
				await page
					.getByText(OUTCOME)
					.first()
					.waitFor({ timeout: 15_000 })
					.catch(() => undefined);
				return page;
			}
			const isKept = (await readPhoneStorage(page)).entries.some(({ fields }) =>
				fields.some(([, value]) => value === text),
			);
			if (isKept || (await this.isStored(text))) return page;
			await wait(1000);
		}
		this.figures.typedTextLost += 1;
		return page;
	}

	private async isStored(text: string): Promise<boolean> {
		const { results } = await this.retry(async () =>
			(await this.killableWorker.database)
				.prepare(
					"select 1 from mileage_logs where notes = ? union all select 1 from fund_requests where description = ?",
				)
				.bind(text, text)
				.all(),
		);
		return results.length > 0;
	}
}

/** Compares the database with what was submitted. */
async function count(
	db: D1Database,
	submitted: readonly Submission[],
	figures: Figures,
): Promise<void> {
	type Row = { text: string; hasReceipt: number };
	const { results } = await db
		.prepare(
			"select notes as text, 1 as hasReceipt from mileage_logs where notes like 'Torture %' union all select description, receipt_id is not null from fund_requests where description like 'Torture %'",
		)
		.all<Row>();
	for (const { text } of submitted) {
		const rows = results.filter((row) => row.text === text);
		if (rows.length === 0) figures.lost += 1;
		if (rows.length > 1) figures.doubled += rows.length - 1;
		if (rows.some(({ hasReceipt }) => hasReceipt === 0)) figures.photosLost += 1;
	}
}
