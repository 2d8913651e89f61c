/**
 * Malformed requests of every kind to every route, in a heap of Cloudflare's size: each gets a
 * small, quick answer that reveals nothing about our code (`npm run torture -- fuzz` runs longer).
 */
import { afterAll, expect, it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { diceOf } from "../../lab/torture/dice.ts";
import { type Known, LINES } from "../../lab/torture/fuzz/grammar.ts";
import { Judge } from "../../lab/torture/fuzz/judge.ts";
import {
	draft,
	type FuzzRequest,
	malformedRequest,
	PEOPLE,
} from "../../lab/torture/fuzz/request.ts";
import { Sender, type Sent } from "../../lab/torture/fuzz/send.ts";
import { report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { freePort } from "../../tools/free-port.ts";
import { CAST, idOf } from "../support/cast.ts";
import { insertFee } from "../support/fees.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const port = await freePort();
const fleet = await openFleet({
	port,
	heapMegabytes: ISOLATE_MEGABYTES,
	vars: { MAIL_WEBHOOK_SECRET: `whsec_${Buffer.from("fuzz".repeat(8)).toString("base64")}` },
});
const sql = fleet.sql.bind(fleet);
/** Concurrent requests. */
const CONCURRENCY = 4;
const sessions = { visitor: "", driver: "", administrator: "" };
const sender = new Sender(port, sessions);
afterAll(() => sender.close());

const DRIVERS = ["dana", "omar", "lena"] as const;

/**
 * New sessions, with a different driver each time: the fuzzer signs out, deactivates people and
 * uses up their hourly limits.
 */
async function signIn(turn: number): Promise<void> {
	const driver = DRIVERS[turn % DRIVERS.length] ?? "dana";
	for (const [name, role] of [
		[driver, "driver"],
		["ada", "admin"],
	] as const)
		await sql(
			"update users set is_active = 1, role = ?, approval_status = 'approved', deactivated_at = null where id = ?",
			role,
			idOf(name),
		);
	const cookieOf = async (email: string) =>
		`sid=${(await fleet.client().signIn(email)).cookies.get("sid")}`;
	sessions.driver = await cookieOf(CAST[driver].email);
	sessions.administrator = await cookieOf(CAST.ada.email);
}

async function known(): Promise<Known> {
	const ids = async (query: string) =>
		(await sql<{ id: string }>(`${query} limit 20`)).map(({ id }) => id);
	return {
		request: await ids("select id from fund_requests"),
		fee: await ids("select id from uber_fees"),
		log: await ids("select id from mileage_logs"),
		payout: await ids("select id from payouts"),
		person: await ids(`select id from users where id <> '${idOf("ada")}'`),
	};
}

/**
 * Sends one genuine request to each route as each kind of person: first those that read, because
 * one that writes may end a session.
 */
async function genuine(rows: Known): Promise<Sent[]> {
	const dice = diceOf(SEED, 1e6);
	const sent: Sent[] = [];
	const lines = LINES.filter(({ rule }) => !/log(in|out)|callback/.test(rule.path));
	const isRead = ({ method }: (typeof lines)[number]) => method === "GET";
	for (const each of [...lines.filter(isRead), ...lines.filter((line) => !isRead(line))])
		for (const as of PEOPLE) {
			const request = draft(each, dice, rows);
			sent.push(await sender.send({ ...request, ...request.genuine, as }));
		}
	return sent;
}

/** A page with figures and a list. */
const ORDINARY = { method: "GET", path: "/", headers: { Accept: "text/html" } };

it(
	"answers every malformed request briefly, quickly, and without revealing our code",
	async () => {
		for (let number = 1; number < 6; number++) {
			await insertRequest(sql, number, "dana");
			await insertApproved(sql, 100 + number, "omar", 1234);
			await insertFee(sql, number, "lena", "2026-11-02");
		}
		await gather(await fleet.as("ada"), { driverId: idOf("omar") });
		await signIn(0);
		let rows = await known();
		const judge = new Judge(sender, {
			...ORDINARY,
			as: "administrator",
			genuine: ORDINARY,
			faults: [],
		});
		let batch: FuzzRequest[] = [];
		const play = async () => {
			const turns = batch.values();
			const turn = async () => {
				for (const request of turns) await judge.send(request);
			};
			await Promise.all(Array.from({ length: CONCURRENCY }, turn));
			batch = [];
		};
		for (const round of rounds(600)) {
			batch.push(malformedRequest(diceOf(SEED, round), rows));
			if (batch.length < 100) continue;
			await play();
			await signIn(Math.floor(round / 100));
			rows = await known();
			if (round % 5000 === 4999) await judge.settle(await genuine(rows));
		}
		await play();
		await signIn(0);
		await judge.settle(await genuine(rows));
		const errors = fleet.takeErrors();
		for (const each of [...judge.broken, ...errors.slice(0, 10)]) console.log(each);
		const statuses = [...judge.statuses].sort().map(([status, count]) => `${status} x${count}`);
		console.log(`Statuses: ${statuses.join(", ")}`);
		report("fuzz", judge.findings(errors.length));
		expect(statuses.length).toBeGreaterThan(8);
	},
	TIMEOUT,
);
