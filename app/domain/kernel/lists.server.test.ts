/**
 * A program that asks every list for changes since its last call ends up with the same rows as one
 * that reads whole lists, whatever happens in between. `npm run torture -- lists` runs the long
 * version.
 */
import { describe, expect, it } from "vitest";
import { type Dice, diceOf } from "../../../lab/torture/dice.ts";
import { report, some, TIMEOUT } from "../../../lab/torture/plan.ts";
import { mustBeZero } from "../../../lab/torture/table.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { commandSubjects } from "../../../tests/support/command-subjects.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { addDays, dateIn } from "../../values/calendar-date.ts";
import { recordDownload } from "../audit/downloads.server.ts";
import { addReceipt } from "../fund-requests/commands/add-receipt.server.ts";
import { writeAboutRequest } from "../fund-requests/commands/message.server.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { submitRequest } from "../fund-requests/commands/submit.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { withdrawRequest } from "../fund-requests/commands/withdraw.server.ts";
import { requestJson } from "../fund-requests/json.ts";
import { REQUEST_LIST } from "../fund-requests/queries.server.ts";
import { readTrips, tripPage } from "../mileage/archived.server.ts";
import { logMileage } from "../mileage/commands/log.server.ts";
import { voidMileage } from "../mileage/commands/void.server.ts";
import { voidMileageAsAdmin } from "../mileage/commands/void-as-admin.server.ts";
import { mileageJson } from "../mileage/json.ts";
import { cancelPayout } from "../payouts/commands/cancel.server.ts";
import { makePayout } from "../payouts/commands/make.server.ts";
import { payPayout } from "../payouts/commands/pay.server.ts";
import { reopenPayout } from "../payouts/commands/reopen.server.ts";
import { payoutJson } from "../payouts/json.ts";
import { payoutList } from "../payouts/queries.server.ts";
import { approveDriver } from "../people/commands/approve.server.ts";
import { cancelInvitation } from "../people/commands/cancel-invitation.server.ts";
import { createDriver } from "../people/commands/create.server.ts";
import { rejectDriver } from "../people/commands/reject.server.ts";
import { renameDriver } from "../people/commands/rename.server.ts";
import { setDriverActive } from "../people/commands/set-active.server.ts";
import { userJson } from "../people/json.ts";
import { ALL_LIST, APPROVED_LIST, PENDING_LIST } from "../people/lists.server.ts";
import { pseudonymizeDriver } from "../personal-data/commands/pseudonymize.server.ts";
import { importStatement } from "../statements/commands/import.server.ts";
import { undoImport } from "../statements/commands/undo-import.server.ts";
import { formatEvent } from "../statements/event-lines.ts";
import { FEE_LIST } from "../statements/fee-list.server.ts";
import { readingKey } from "../statements/object-writer.server.ts";
import { addFee } from "../uber-fees/commands/add.server.ts";
import { deleteFee } from "../uber-fees/commands/delete.server.ts";
import { feeJson, ownFeeJson } from "../uber-fees/json.ts";
import { type ListAsk, type ListSource, readList, toListPage } from "./list.server.ts";

const HISTORIES = Number(process.env.LIST_ROUNDS ?? some(200));
const SEED = Number(process.env.TORTURE_SEED ?? 1);
/** Commands in one history. */
const LENGTH = 12;
/** Lists that one history follows. */
const FOLLOWED = 4;
const MINUTE = 60_000;
const SITE = { origin: "https://fleet.example" };
const NOW = Date.UTC(2026, 10, 21, 17);
const TODAY = dateIn("America/New_York", NOW);
const bench = await openDatabase("everyone", NOW);
const subjects = await commandSubjects(bench, NOW, TODAY);
const { applicant, formerDriver, codeOf, person, stored, store, unique } = subjects;

type Wire = { readonly id: string; readonly deletedAt?: string | null };
type Page = { readonly rows: readonly object[]; readonly next: string | undefined };
/** A list as one person sees it. */
type Followed = {
	readonly name: string;
	readonly read: (ask: ListAsk) => Promise<Page>;
	/** Whether a changed row is in the whole list. */
	readonly isIn: (row: Wire & Readonly<Record<string, unknown>>) => boolean;
};

const reader = await bench.admin("ada");
function followed<Row, Cursor extends object>(
	name: string,
	list: ListSource<Row, Cursor>,
	show: (row: Row) => object,
	whose?: string,
	isIn: Followed["isIn"] = ({ deletedAt }) => deletedAt === undefined,
): Followed {
	return {
		name,
		isIn,
		async read(ask) {
			const answers = await reader.db.batch(readList(list, ask, reader.db.build, whose));
			const { rows, next } = toListPage(list, ask, answers as never);
			return { rows: rows.map(show), next };
		},
	};
}
const trips = (whose?: string): Followed => ({
	name: `trips of ${whose ?? "everyone"}`,
	isIn: () => true,
	async read(ask) {
		const answers = await reader.db.batch(readTrips(ask, {}, reader.db.build, whose));
		const { rows, next } = await tripPage(reader, ask, { whose, range: {} }, answers);
		return { rows: rows.map(({ log, driverNumber }) => mileageJson(log, driverNumber)), next };
	},
});

const dana = idOf("dana");
const LISTS: readonly Followed[] = [
	trips(),
	trips(dana),
	followed("requests", REQUEST_LIST, requestJson),
	followed("requests of one driver", REQUEST_LIST, requestJson, dana),
	followed("fees", FEE_LIST, feeJson),
	followed("fees of one driver", FEE_LIST, ownFeeJson, dana),
	followed("payouts", payoutList({}), payoutJson),
	followed(
		"payouts that are paid",
		payoutList({ status: "paid" }),
		payoutJson,
		undefined,
		(row) => row.status === "paid",
	),
	followed(
		"active drivers",
		APPROVED_LIST,
		userJson,
		undefined,
		(row) => row.isActive === true && !row.deletedAt,
	),
	followed("drivers", ALL_LIST, userJson, undefined, (row) => !row.deletedAt),
	followed(
		"applications",
		PENDING_LIST,
		userJson,
		undefined,
		(row) => row.approvalStatus === "pending" && row.isActive === true && !row.deletedAt,
	),
];

/** Every row, on pages of so many. */
async function readAll(list: Followed, limit: number, since?: number): Promise<Wire[]> {
	const rows: object[] = [];
	let after: string | undefined;
	do {
		const page = await list.read({ limit, size: limit, after, since });
		rows.push(...page.rows);
		after = page.next;
	} while (after !== undefined);
	return rows as Wire[];
}

const asText = (rows: readonly Wire[]) =>
	new Map(rows.map((row) => [row.id, JSON.stringify(row)] as const));

/** Ids that the history's commands made, to choose from. */
class History {
	now = NOW;
	readonly requests: string[] = [];
	readonly payouts: string[] = [];
	readonly trips: string[] = [];
	readonly fees: string[] = [];
	readonly people: string[] = [];
	readonly imports: string[] = [];

	constructor(readonly dice: Dice) {}

	private one(ids: readonly string[]) {
		return ids.length > 0 ? this.dice.pick(ids) : "00000000-0000-4000-8000-00000000ffff";
	}
	private driver = () => bench.driver(this.dice.pick(["dana", "omar"] as const), this.now);
	private admin = () => bench.admin(this.dice.pick(["ada", "ben"] as const), this.now);
	private date = () => addDays(TODAY, -this.dice.below(4));

	/** Tries a command, which may be refused. */
	async step(): Promise<void> {
		this.now += this.dice.below(4) * 5 * MINUTE;
		const { dice } = this;
		const admin = await this.admin();
		const driver = await this.driver();
		const request = this.one(this.requests);
		const payout = this.one(this.payouts);
		const someone = this.one([...this.people, dana, idOf("omar")]);
		const plays: (() => Promise<unknown>)[] = [
			async () => {
				const replacesId = dice.once(4) ? request : undefined;
				const made = await submitRequest(driver, subjects.fuel(replacesId), "json");
				if (made.ok) this.requests.push(made.value.request.id);
			},
			() =>
				processRequests(admin, [request, this.one(this.requests)], {
					status: dice.once(3) ? "rejected" : "approved",
					adminNotes: dice.once(2) ? "As agreed" : undefined,
				}),
			() => undoDecision(admin, request),
			() => reopenRequest(admin, request),
			() => withdrawRequest(driver, request),
			() => writeAboutRequest(admin, request, subjects.message(), "json"),
			() => writeAboutRequest(driver, request, subjects.message(), "json"),
			() => addReceipt(driver, request, stored(crypto.randomUUID())),
			async () => {
				const made = await makePayout(admin, { kind: "all" }, undefined);
				if (made.ok) this.payouts.push(made.value.row.payout.id);
			},
			() => payPayout(admin, payout, { paidOn: TODAY, reference: undefined }),
			() => cancelPayout(admin, payout),
			() => reopenPayout(admin, payout, "Sent back"),
			() => this.download(payout),
			() => this.log(driver),
			() => this.log(driver, this.one(this.trips)),
			() => voidMileage(driver, this.one(this.trips)),
			() => voidMileageAsAdmin(admin, { id: this.one(this.trips), reason: "Wrong van" }),
			async () => {
				const replacesId = dice.once(3) ? this.one(this.fees) : undefined;
				const fee = { ...subjects.charge, amount: 100 + dice.below(900), date: this.date() };
				const made = await addFee(admin, { ...fee, replacesId });
				if (made.ok) this.fees.push(made.value.row.fee.id);
			},
			() => deleteFee(admin, this.one(this.fees)),
			() => this.import(),
			() => undoImport(admin, this.one(this.imports)),
			() => renameDriver(admin, someone, { firstName: "Sam", lastName: `Renamed ${unique()}` }),
			() => setDriverActive(admin, this.one(this.people)),
			async () => {
				const made = await createDriver(admin, person(), SITE);
				if (made.ok) this.people.push(made.value.id);
			},
			() => cancelInvitation(admin, this.one(this.people)),
			() => approveDriver(admin, this.one(this.people), SITE),
			() => rejectDriver(admin, this.one(this.people), SITE),
			async () => {
				const former = this.one(this.people);
				return pseudonymizeDriver(admin, former, await codeOf(former), 7);
			},
		];
		await dice.pick(plays)();
	}

	private async log(driver: Awaited<ReturnType<typeof bench.driver>>, correctsId?: string) {
		const start = 500_000 + this.dice.below(12) * 10;
		const end = start + 5 + this.dice.below(4) * 5;
		const made = await logMileage(
			driver,
			{
				...subjects.newTrip(correctsId),
				startOdometer: start,
				endOdometer: end,
				date: this.date(),
			},
			"json",
		);
		if (made.ok) this.trips.push(made.value.log.id);
	}

	private async download(payout: string) {
		const [row] = await bench.rows<{ number: number }>(
			"select number from payouts where id = ?",
			payout,
		);
		if (!row) return;
		const fileName = `payout-PO-${String(row.number).padStart(6, "0")}-xero.csv`;
		await recordDownload(
			{ ...(await this.admin()), requestId: `download ${unique()}` },
			{ action: "payout.export", fileName, chosen: {} },
		);
	}

	/** Imports lines that other imports may have with another amount. */
	private async import() {
		const id = crypto.randomUUID();
		const lines = [1, 2, 3]
			.filter(() => this.dice.once(2))
			.map((line) => ({
				kind: "line" as const,
				key: `line-${line}`,
				cents: this.dice.below(3) * 100,
				row: line + 1,
				platformId: "",
				name: "Dana Driver",
				date: TODAY,
				category: (["other", "commission"] as const)[line % 2] ?? "other",
			}));
		await store.put(readingKey(id), lines.map((line) => `${formatEvent(line)}\n`).join(""));
		const statement = subjects.waiting(id);
		const answers = {
			...statement.answers,
			overlap: true,
			changed: this.dice.pick(["replace", "keep"] as const),
		};
		const made = await importStatement(
			await this.admin(),
			store,
			{ ...statement, answers },
			"ready",
		);
		if (made.ok && made.value.import) this.imports.push(made.value.import.id);
	}

	/** People whose standing changes, and one who can be pseudonymized, with entries of each kind. */
	async begin() {
		this.people.push(await applicant(), await applicant({ approval_status: "rejected" }));
		const former = await formerDriver();
		this.people.push(former);
		await subjects.fee({ driver_id: former, description: "Theirs" });
		this.requests.push(
			await subjects.request({
				driver_id: former,
				status: "rejected",
				decided_at: NOW,
				decided_by: idOf("ada"),
			}),
		);
	}
}

const found = { syncs: 0, rows: 0, different: 0 };

/** Plays a history, following some of the lists. */
async function follow(round: number) {
	const dice = diceOf(SEED, round);
	const history = new History(dice);
	await history.begin();
	const lists = dice.shuffle(LISTS).slice(0, FOLLOWED);
	const known: Map<string, string>[] = [];
	for (const list of lists) known.push(asText(await readAll(list, 5 + dice.below(50))));
	let since = history.now;
	for (let step = 0; step < LENGTH; step++) {
		await history.step();
		if (!dice.once(5) && step < LENGTH - 1) continue;
		for (const [place, list] of lists.entries()) {
			const own = known[place] ?? new Map<string, string>();
			for (const row of await readAll(list, 1 + dice.below(8), since)) {
				if (list.isIn(row as never)) own.set(row.id, JSON.stringify(row));
				else own.delete(row.id);
			}
			const whole = asText(await readAll(list, 500));
			const different = [...new Set([...own.keys(), ...whole.keys()])]
				.filter((id) => own.get(id) !== whole.get(id))
				.map((id) => [list.name, own.get(id), whole.get(id)]);
			found.rows += whole.size;
			found.different += different.length;
			expect(different, `history ${round}, step ${step}`).toEqual([]);
		}
		found.syncs += 1;
		since = history.now;
	}
}

/** How many are played in one database, which grows with each. */
const IN_ONE = 5;

describe("a program that follows the changes", () => {
	it.each(Array.from({ length: Math.ceil(HISTORIES / IN_ONE) }, (_, fleet) => fleet))(
		"has the rows of the whole lists, in fleet %i",
		async (fleet) => {
			const first = fleet * IN_ONE;
			for (let round = first; round < Math.min(HISTORIES, first + IN_ONE); round++)
				await follow(round);
		},
		TIMEOUT,
	);

	it("has missed nothing in all of them", () => {
		report("lists", [
			mustBeZero(
				`rows after ${found.syncs} times of asking in ${HISTORIES} histories`,
				found.rows,
				"different",
				found.different,
			),
		]);
	});
});
