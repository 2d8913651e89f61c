/**
 * Clients that keep a copy of each list through `updatedSince`, over random histories of what people
 * do: whenever they have asked, the copy is the list. `npm run test:full`, or
 * `UPDATED_SINCE_HISTORIES=2000`, plays 2,000 of them.
 */
import { expect, it } from "vitest";
import { type Dice, diceOf } from "../../lab/torture/dice.ts";
import { ModelFleet, randomCommand } from "../../lab/torture/model/fleet.ts";
import { Stage } from "../../lab/torture/model/play.ts";
import { SEED } from "../../lab/torture/plan.ts";
import { randomStep } from "../money/model.ts";
import { idOf } from "../support/cast.ts";
import { times } from "../support/extent.ts";
import { fieldFile } from "../support/field-files.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { FOLLOWED, type FollowedList, Follower } from "../support/follower.ts";
import { callStatements } from "../support/statement-calls.ts";
import { type Client, openFleet } from "../support/worker.ts";

const HISTORIES = times("UPDATED_SINCE_HISTORIES", 10, 2000);
/** Histories after which the tables are emptied. */
const GENERATION = 20;
/** Steps of a history. */
const LENGTH = 12;

const fleet = await openFleet();
const [ada, ben, dana] = [await fleet.as("ada"), await fleet.as("ben"), await fleet.as("dana")];

/** Empties the tables, each before those that it refers to. */
async function empty(): Promise<void> {
	await fleet.sql("update uber_fees set replaces_id = null where replaces_id is not null");
	await fleet.sql("update mileage_logs set corrects_id = null where corrects_id is not null");
	await fleet.sql("update fund_requests set replaces_id = null where replaces_id is not null");
	for (const table of [
		...["request_messages", "payout_requests", "fund_requests", "payouts", "mileage_logs"],
		...["statement_lines", "statement_money", "uber_fees", "fee_imports", "platform_drivers"],
	])
		await fleet.sql(`delete from ${table}`);
}

/** The statement's period is in its name. */
const [from, to] = [20, 15].map((days) => daysAgo(days).replaceAll("-", ""));
const STATEMENT_NAME = `${from}-${to}-payments_driver-Example.csv`;

/** What happens in a fleet besides the commands of its model; most of it may be refused. */
class Others {
	constructor(
		private readonly stage: Stage,
		/** Those of the current history. */
		private readonly diceNow: () => Dice,
	) {}
	private get dice(): Dice {
		return this.diceNow();
	}

	async play(note: (step: string, isAllowed: boolean) => void): Promise<void> {
		const step = this.dice.pick([
			...(["log", "log", "void", "correct", "ask", "message", "message", "replace"] as const),
			...(["rename", "bill", "import", "undo", "cancel"] as const),
		]);
		note(step, (await this[step]()) < 400);
	}

	/** One of the newest rows of a table. */
	private async any(table: string, where = "1"): Promise<string> {
		const rows = await fleet.sql<{ id: string }>(
			`select id from ${table} where ${where} order by rowid desc limit 8`,
		);
		return rows.length === 0 ? crypto.randomUUID() : this.dice.pick(rows).id;
	}
	private readonly own = `driver_id = '${idOf("dana")}'`;
	private readonly trip = () => {
		const startOdometer = 1000 + 10 * this.dice.below(60);
		const endOdometer = startOdometer + 1 + this.dice.below(40);
		return { date: daysAgo(this.dice.below(4)), startOdometer, endOdometer };
	};
	private async call(client: Client, method: string, path: string, body?: object) {
		return (await client.call(method, path, body)).status;
	}
	private async post(client: Client, path: string, fields: Readonly<Record<string, string>>) {
		const { status } = await client.post(path, { key: crypto.randomUUID(), ...fields });
		return status;
	}

	private log = () => this.call(dana, "POST", "/api/mileage", this.trip());
	private void = async () =>
		this.post(dana, "/mileage", { intent: "void", id: await this.any("mileage_logs", this.own) });
	private correct = async () => {
		const { date, startOdometer, endOdometer } = this.trip();
		return this.post(dana, "/mileage", {
			...{ date, startOdometer: String(startOdometer), endOdometer: String(endOdometer) },
			correctsId: await this.any("mileage_logs", this.own),
		});
	};
	private request = () => ({
		type: this.dice.pick(["gas", "maintenance", "other"]),
		amount: (1 + this.dice.below(9000) / 100).toFixed(2),
		description: "Fuel",
	});
	private ask = () => this.call(dana, "POST", "/api/fund-requests", this.request());
	private replace = async () =>
		this.post(dana, "/requests", {
			...this.request(),
			replacesId: await this.any("fund_requests", this.own),
		});
	private message = async () => {
		const [client, where] = this.dice.pick([[dana, this.own] as const, [ada, "1"] as const]);
		const id = await this.any("fund_requests", where);
		return this.call(client, "POST", `/api/fund-requests/${id}/messages`, { text: "Which car?" });
	};
	private rename = async () => {
		const people = [idOf("dana"), ...this.stage.people.slice(-4).map(({ id }) => id)];
		const lastName = `Name ${this.dice.below(50)}`;
		return this.post(ada, "/drivers", {
			...{ intent: "rename", id: this.dice.pick(people), firstName: "Nu", lastName },
		});
	};
	private bill = async () => {
		const id = await this.any("payouts");
		const format = this.dice.pick(["xero", "quickbooks", "payments"]);
		return (await ada.get(`/payouts/${id}/export.csv?format=${format}`)).status;
	};
	private import = async () => {
		const text = fieldFile(`corrected-${1 + this.dice.below(2)}-payments_driver.csv`).trimEnd();
		const other = "f1e1d000-0000-4000-8000-000000000004";
		const row = this.dice.once(2) ? `\n${other},Otto,Other,20.00,20.00,27.00,-7.00` : "";
		const drivers = JSON.stringify({
			"f1e1d000-0000-4000-8000-000000000003": idOf("dana"),
			...(row ? { [other]: idOf("omar") } : {}),
		});
		const answers = { mode: "all", drivers, changed: this.dice.pick(["keep", "replace"]) };
		const bytes = new TextEncoder().encode(`${text}${row}\n`);
		return (await callStatements(ada, answers, { bytes, name: STATEMENT_NAME })).status;
	};
	private undo = async () =>
		this.post(ada, "/uber-fees/import", { intent: "undo", id: await this.any("fee_imports") });
	private cancel = async () => {
		const email = `${crypto.randomUUID()}@milepost.test`;
		const invited = await ada.call("POST", "/api/drivers", {
			...{ email, firstName: "In", lastName: "Vited" },
		});
		const { id } = JSON.parse(invited.text) as { id: string };
		return this.call(ada, "DELETE", `/api/drivers/${id}`);
	};
}

it(`follows ${HISTORIES} histories, and has no row that differs from the list`, async () => {
	const found = { steps: 0, requests: 0, rows: 0 };
	const played = new Map<string, number>();
	const note = (step: string, isAllowed: boolean) => {
		const what = isAllowed ? step : `${step} refused`;
		played.set(what, (played.get(what) ?? 0) + 1);
		found.steps += 1;
	};
	const different: string[] = [];
	for (let first = 0; first < HISTORIES && different.length === 0; first += GENERATION) {
		await empty();
		let dice = diceOf(SEED, first);
		const below = (most: number) => dice.below(most);
		const model = new ModelFleet();
		const stage = new Stage(fleet, ada, ben, model, below, `since${first}-`);
		const others = new Others(stage, () => dice);
		const step = async () => {
			if (dice.once(3)) return others.play(note);
			const command = randomCommand(model, below, 0, () => randomStep(model.money, below));
			const isAllowed = await stage.play(command);
			if (isAllowed) model.try(command);
			note(command.kind === "money" ? command.step.kind : command.kind, isAllowed);
		};
		const meanwhile = async () => dice.once(4) && (await step());
		const lists = Object.keys(FOLLOWED) as FollowedList[];
		const followers = [
			...lists.map((list) => new Follower(ada, list)),
			...lists.slice(0, 3).map((list) => new Follower(dana, list)),
		];
		for (let each = first; each < Math.min(first + GENERATION, HISTORIES); each++) {
			dice = diceOf(SEED, each);
			for (const follower of followers)
				if (each === first || dice.once(3))
					await follower.start(dice.pick([20, 100, 500]), meanwhile);
			for (let count = 0; count < LENGTH; count++) {
				await step();
				if (dice.once(3))
					for (const follower of followers)
						if (dice.once(2)) await follower.follow(1 + dice.below(4), meanwhile);
			}
			for (const follower of followers) {
				await follower.follow(1 + dice.below(4));
				const own = await follower.differences();
				different.push(...own.map((text) => `history ${each}, ${text}`));
				found.rows += follower.size;
			}
		}
		for (const follower of followers) found.requests += follower.requests;
	}
	expect(different.slice(0, 10)).toEqual([]);
	console.log(
		`${HISTORIES} histories of ${found.steps} steps, ${found.requests} requests of lists, ${found.rows} rows compared, ${different.length} differ: ${JSON.stringify(Object.fromEntries(played))}`,
	);
}, 7_200_000);
