/**
 * Genuine and damaged files as receipts, in a heap of Cloudflare's size: every stored file opens as
 * its declared type, every genuine file is accepted, and the store holds exactly the accepted files
 * (`npm run torture -- files` sends a hundred thousand).
 */
import { it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { diceOf } from "../../lab/torture/dice.ts";
import { findFault } from "../../lab/torture/files/judge.ts";
import { BAD, type Mutant, mutant, wholeCorpus } from "../../lab/torture/files/mutants.ts";
import { Memory } from "../../lab/torture/load/memory.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { RowFactory } from "../../lab/torture/races/subjects.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { freePort } from "../../tools/free-port.ts";
import { multipart } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({
	port: await freePort(),
	heapMegabytes: ISOLATE_MEGABYTES,
	isInspected: true,
});
const factory = new RowFactory(fleet, await fleet.as("ada"), await fleet.as("ben"));
const CONCURRENCY = 4;
/** Below a driver's daily limit. */
const FILES_PER_DRIVER = 40;
/** Drivers between two looks at the memory, which make the Worker collect its garbage. */
const DRIVERS_PER_LOOK = isShort ? 1 : 5;
/** The short form sends one in five files of the corpus, different ones with every seed. */
const SHARE = 5;

it(
	"stores no bad file, refuses no good one, and loses none that it accepted",
	async () => {
		const found = { sent: 0, good: 0, taken: 0, bad: 0, refused: 0, failed: 0 };
		const memory = new Memory(fleet);
		const note = (words: string, { what }: Mutant) => console.log(`${words}: ${what}`);
		const send = async (file: Mutant, driver: Client) => {
			found.sent += 1;
			const sent = await multipart({}, file);
			const answer = await driver.request("/api/receipts", { ...sent, mayFail: true });
			if (answer.status >= 500 || answer.status === 429) {
				found.failed += 1;
				note(`answered ${answer.status}`, file);
			}
			if (file.good) found.good += 1;
			if (answer.status !== 201) {
				if (file.good) {
					found.refused += 1;
					note(`refused, ${answer.text}`, file);
				}
				return;
			}
			found.taken += 1;
			const { id, mediaType } = JSON.parse(answer.text) as { id: string; mediaType: string };
			const { raw: stored } = await driver.get(`/api/receipts/${id}`);
			const wrong = BAD.has(file.what)
				? "no receipt"
				: ((await findFault(stored, mediaType, file.bytes, file.good !== undefined)) ??
					(file.good && file.good !== mediaType ? `taken for ${mediaType}` : undefined));
			if (wrong === undefined) return;
			found.bad += 1;
			note(wrong, file);
		};
		let drivers = 0;
		const play = async (files: readonly Mutant[]) => {
			const { driver } = await factory.driver();
			const left = files.values();
			const turn = async () => {
				for (const file of left) await send(file, driver);
			};
			await Promise.all(Array.from({ length: CONCURRENCY }, turn));
			drivers += 1;
			if (drivers % DRIVERS_PER_LOOK === 0) await memory.note();
		};
		const whole = wholeCorpus().filter((_, place) => !isShort || (place + SEED) % SHARE === 0);
		for (let from = 0; from < whole.length; from += FILES_PER_DRIVER)
			await play(whole.slice(from, from + FILES_PER_DRIVER));
		let batch: Mutant[] = [];
		for (const round of rounds(160)) {
			batch.push(mutant(diceOf(SEED, round)));
			if (batch.length < FILES_PER_DRIVER) continue;
			await play(batch);
			batch = [];
		}
		await play(batch);
		const [rows] = await fleet.sql<{ n: number; loose: number }>(
			"select (select count(*) from receipts) as n, (select count(*) from loose_objects) as loose",
		);
		const store = fleet.files;
		let objects = 0;
		for (let cursor: string | undefined; ; ) {
			const page = await store.list(cursor ? { cursor } : {});
			objects += page.objects.length;
			if (!page.truncated) break;
			cursor = page.cursor;
		}
		const errors = fleet.takeErrors();
		for (const error of errors.slice(0, 10)) console.log(error);
		console.log(`${found.sent} files, ${found.good} good, ${found.taken} accepted`);
		report("files", [
			mustBeZero("files", found.sent, "stored with a wrong type", found.bad),
			mustBeZero("genuine files", found.good, "refused", found.refused),
			mustBeZero(
				"files",
				found.sent,
				"answers of 500 and more, errors",
				found.failed + errors.length,
			),
			mustBeZero(
				"files taken",
				found.taken,
				"missing or surplus objects",
				Math.abs(objects - found.taken),
			),
			mustBeZero(
				"files taken",
				found.taken,
				"missing or surplus rows",
				Math.abs((rows?.n ?? 0) - found.taken),
			),
			mustBeZero("files", found.sent, "left half uploaded", rows?.loose ?? 0),
			...memory.finding("files", found.sent),
		]);
	},
	TIMEOUT,
);
