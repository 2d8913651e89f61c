/**
 * The database and the file store fail at every call of every command and page: before it, inside
 * its batch, after it, briefly and slowly, or the Worker is killed there (`npm run torture --
 * faults` plays every point, the short form a sample that depends on the seed).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROUTES } from "../../app/routing/routes.ts";
import { diceOf } from "../../lab/torture/dice.ts";
import { ADMIN_SCENES, STATEMENT_DRIVERS } from "../../lab/torture/faults/admin-scenes.ts";
import { Director, type Fault } from "../../lab/torture/faults/director.ts";
import { DRIVER_SCENES } from "../../lab/torture/faults/driver-scenes.ts";
import { type Clean, Player } from "../../lab/torture/faults/play.ts";
import { isNothing } from "../../lab/torture/faults/stage.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { RowFactory } from "../../lab/torture/races/subjects.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { freePort } from "../../tools/free-port.ts";
import { insertStatementDrivers } from "../support/generated-statements.ts";
import { type Client, openFleet } from "../support/worker.ts";

const state = mkdtempSync(join(tmpdir(), "milepost-faults-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));
const director = new Director();
const fleet = await openFleet({ faults: director, state, port: await freePort() });
const sql = fleet.sql.bind(fleet);
await insertStatementDrivers(sql, STATEMENT_DRIVERS);
const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
const factory = new RowFactory(fleet, ada, ben);
const player = new Player(fleet, factory, director);
const dice = diceOf(SEED, 16);
/** Every fault that a request's calls can meet. Kills are separate because each needs a restart. */
function pointsOf(calls: Clean["calls"]): { faults: Fault[]; kills: Fault[] } {
	const faults: Fault[] = [];
	const kills: Fault[] = [];
	for (const store of ["d1", "r2"] as const)
		for (const [at, { statements }] of calls.filter((call) => call.store === store).entries()) {
			const point = { store, at };
			for (const way of ["before", "after", "slow"] as const) faults.push({ ...point, way });
			if (store === "d1") {
				for (const way of ["hiccup", "lost"] as const) faults.push({ ...point, way });
				for (let before = 1; before <= statements; before++)
					faults.push({ ...point, way: "inside", statements: before });
			}
			for (const way of ["kill", "die"] as const) kills.push({ ...point, way });
		}
	return { faults, kills };
}

it(
	"loses nothing, repeats nothing and lets no one in, wherever a store fails",
	async () => {
		const cleans: Clean[] = [];
		const scenes = [...DRIVER_SCENES, ...ADMIN_SCENES];
		for (const scene of isShort ? dice.shuffle(scenes).slice(0, 12) : scenes)
			cleans.push(await player.clean(scene));
		const plays: (() => Promise<void>)[] = [];
		const kills: (() => Promise<void>)[] = [];
		const outsiders: readonly Client[] = [
			fleet.client(),
			await fleet.as("nora"),
			await fleet.as("rex"),
		];
		for (const clean of cleans) {
			const points = pointsOf(clean.calls);
			plays.push(...points.faults.map((fault) => () => player.play(clean, fault)));
			kills.push(...points.kills.map((fault) => () => player.play(clean, fault)));
			for (const intruder of outsiders)
				for (const way of ["before", "after", "hiccup", "lost", "inside"] as const) {
					const fault: Fault = { store: "d1", at: 0, way, statements: 1 };
					plays.push(() => player.intrude(clean, fault, intruder));
				}
		}
		const all = isShort
			? [...dice.shuffle(kills).slice(0, 2), ...dice.shuffle(plays)]
			: dice.shuffle([...kills, ...plays]);
		for (const round of rounds(60)) {
			const play = all[round];
			if (!play) break;
			await play();
		}
		player.printNotes();
		const points = cleans.reduce((total, { calls }) => total + calls.length, 0);
		console.log(`${cleans.length} commands, ${points} calls, ${all.length} points`);
		const { found, kills: killed } = player;
		const tried = `faults of ${cleans.length} commands, ${killed} of them kills`;
		report("faults", [
			mustBeZero(tried, player.plays, "changes lost", found.lost),
			mustBeZero(tried, player.plays, "changes repeated", found.doubled),
			mustBeZero(tried, player.plays, "partial changes", found.half),
			mustBeZero(tried, player.plays, "unauthorized people let in", found["let in"]),
			mustBeZero(tried, player.plays, "texts lost from their forms", found["typed text"]),
			mustBeZero(tried, player.plays, "answers other than done, refused or 503", found.answers),
			mustBeZero(tried, player.plays, "changes that a 503 denied", found["untrue words"]),
		]);
		const idle = cleans.filter(({ change, scene }) => isNothing(change) && !scene.onlyWaits);
		expect(idle.map(({ scene }) => scene.name)).toEqual([]);
	},
	TIMEOUT,
);

it(
	"shows no page or file when the visitor's permission can't be read",
	async () => {
		const people = ["ada", "dana", "nora", "rex"] as const;
		const clients = await Promise.all(people.map((name) => fleet.as(name)));
		const { id: request } = await factory.request();
		const { id: payout } = await factory.payout();
		const idOf = (path: string) => (path.includes("payouts") ? payout : request);
		const pages = ROUTES.filter(
			({ methods, path }) => methods.GET && !/healthz|login|logout|callback/.test(path),
		);
		const found = { open: 0, other: 0 };
		let asked = 0;
		const cells = pages.flatMap(({ path }) => clients.map((client) => ({ path, client })));
		for (const { path, client } of isShort ? dice.shuffle(cells).slice(0, 40) : cells) {
			const url = path.replace(":id", idOf(path));
			director.expect();
			const clean = await client.get(url, { mayFail: true });
			const { faults } = pointsOf(director.calls);
			for (const fault of isShort ? dice.shuffle(faults).slice(0, 1) : faults) {
				director.expect(fault);
				const answer = await client.get(url, { mayFail: true }).catch(() => undefined);
				director.expect();
				asked += 1;
				const status = answer?.status ?? 503;
				const isSame = status === clean.status;
				if (clean.status >= 400 && status < 400) found.open += 1;
				if (!isSame && status !== 503) {
					found.other += 1;
					console.log(`${url}: ${clean.status}, and ${status} with ${JSON.stringify(fault)}`);
				}
				fleet.takeErrors();
			}
		}
		report("faults", [
			mustBeZero("pages and files with a fault", asked, "shown without permission", found.open),
			mustBeZero(
				"pages and files with a fault",
				asked,
				"answers other than their own or 503",
				found.other,
			),
		]);
	},
	TIMEOUT,
);
