/** A Worker whose database is recorded or distant, and direct access to that database. */
import { Miniflare, type MiniflareOptions } from "miniflare";
import type { Director } from "../../lab/torture/faults/director.ts";
import { FAULTY_D1, FAULTY_EMAIL, FAULTY_R2 } from "../../lab/torture/faults/stand-ins.ts";
import { BUSY_D1 } from "../../lab/torture/load/busy-database.ts";
import { D1_PROXY, proxiedDatabase } from "./d1-proxy.ts";
import { ask, type Listening } from "./direct.ts";
import { bucketAt, FILE_STORE } from "./file-store.ts";
import { shapeOf } from "./plans.ts";
import { REGIONAL_D1, type Regions } from "./regions.ts";

const PROXY_HOST = "d1-proxy.milepost.test";
const FILES_HOST = "file-store.milepost.test";

/**
 * Wraps the Worker's D1 binding and reports each statement once, so that a test can check its plan.
 */
const RECORDER = `const told = new Set();
const shapeOf = ${shapeOf};
const watched = (inner) => ({
	prepare: (sql) => ({ bind: (...values) => ({ sql, statement: inner.prepare(sql).bind(...values) }) }),
	batch(list) {
		for (const { sql } of list) {
			const shape = shapeOf(sql);
			if (!told.has(shape)) console.log("SQL " + JSON.stringify({ sql }));
			told.add(shape);
		}
		return inner.batch(list.map(({ statement }) => statement));
	},
});
export default function ({ INNER }) {
	return {
		...watched(INNER),
		withSession(start) {
			const session = INNER.withSession(start);
			return { ...watched(session), getBookmark: () => session.getBookmark() };
		},
	};
}`;

/** Modules that replace bindings, such as a failing file store, by the binding's name. */
export type StandIns = Readonly<Record<string, string>>;

/**
 * The Worker with its database recorded, and a proxy Worker for direct access to the same D1.
 * @param regions simulates a distant database instead
 * @param isBusy makes the database refuse excessive load
 * @param inspectorPort where workerd's inspector listens, if at all
 * @param faults decides what happens to each call to the database, the file store and the email
 * provider
 */
export function withD1Proxy(
	{
		host,
		port,
		cf,
		log,
		d1Persist,
		r2Persist,
		handleRuntimeStdio,
		d1Databases,
		...worker
	}: Record<string, unknown>,
	{
		regions,
		faults,
		standIns = {},
		isBusy = false,
		inspectorPort,
	}: {
		regions?: Regions;
		faults?: Director;
		standIns?: StandIns;
		isBusy?: boolean;
		inspectorPort?: number;
	} = {},
): Miniflare {
	const proxy = {
		name: "d1-proxy",
		routes: [`${PROXY_HOST}/*`],
		compatibilityDate: worker.compatibilityDate,
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
		d1Databases: { ...(d1Databases as { DB: string }), ...regions?.databases },
	};
	const recorder = {
		name: "recorder",
		...(faults
			? {
					modules: [{ type: "ESModule", path: "faulty-d1.mjs", contents: FAULTY_D1 }],
					d1Databases: { INNER: (d1Databases as { DB: string }).DB },
					serviceBindings: { FAULTS: faults.answer },
				}
			: regions
				? {
						modules: [{ type: "ESModule", path: "regions.mjs", contents: REGIONAL_D1 }],
						serviceBindings: { REGIONS: regions.answer },
					}
				: {
						modules: [
							{ type: "ESModule", path: "recorder.mjs", contents: isBusy ? BUSY_D1 : RECORDER },
						],
						d1Databases: { INNER: (d1Databases as { DB: string }).DB },
					}),
	};
	const shared = {
		host,
		port,
		cf,
		log,
		d1Persist,
		r2Persist,
		...(handleRuntimeStdio ? { handleRuntimeStdio } : {}),
		...(inspectorPort ? { inspectorPort } : {}),
	};
	const buckets = (worker.r2Buckets ?? {}) as Readonly<Record<string, string>>;
	const files = {
		name: "file-store",
		routes: [`${FILES_HOST}/*`],
		compatibilityDate: worker.compatibilityDate,
		modules: [{ type: "ESModule", path: "store.mjs", contents: FILE_STORE }],
		r2Buckets: buckets,
	};
	const others = Object.entries(standIns).map(([binding, contents]) => ({
		name: `stand-in-${binding}`,
		modules: [{ type: "ESModule", path: "stand-in.mjs", contents }],
	}));
	if (faults)
		others.push({
			name: "stand-in-RECEIPTS",
			modules: [{ type: "ESModule", path: "faulty-r2.mjs", contents: FAULTY_R2 }],
			r2Buckets: { INNER: buckets.RECEIPTS },
			serviceBindings: { FAULTS: faults.answer },
		} as (typeof others)[number]);
	if (faults)
		others.push({
			name: "stand-in-EMAIL",
			modules: [{ type: "ESModule", path: "faulty-email.mjs", contents: FAULTY_EMAIL }],
			serviceBindings: { FAULTS: faults.answer },
		} as (typeof others)[number]);
	const isStoodIn = (binding: string) =>
		binding in standIns || (faults !== undefined && binding === "RECEIPTS");
	const wrapped = others.map(({ name }) => [name.replace("stand-in-", ""), name]);
	const milepost = {
		...worker,
		name: "milepost",
		d1Databases: Object.fromEntries(
			Object.entries(d1Databases ?? {}).filter(([name]) => name !== "DB" && !(name in standIns)),
		),
		r2Buckets: Object.fromEntries(
			Object.entries(buckets).filter(([binding]) => !isStoodIn(binding)),
		),
		wrappedBindings: { DB: "recorder", ...Object.fromEntries(wrapped) },
	};
	return new Miniflare({
		...shared,
		workers: [milepost, proxy, recorder, files, ...others],
	} as unknown as MiniflareOptions);
}

/** Direct access to the files of such a Worker. */
export const filesBehind = (worker: Listening): R2Bucket =>
	bucketAt(worker, `http://${FILES_HOST}/RECEIPTS`);

/** Direct access to such a Worker's D1. */
export const databaseBehind = (worker: Listening, name: string): D1Database =>
	proxiedDatabase((body) => ask(worker, `http://${PROXY_HOST}/${name}`, { method: "POST", body }));
