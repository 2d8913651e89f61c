/**
 * The network between a Worker and D1: regions at realistic distances, one primary, replicas that
 * lag behind it, and time that a test advances. It implements D1's Sessions API and is stricter
 * than D1, because a write sent to a replica fails.
 */
import { Response } from "miniflare";
import type { BatchResult, BoundStatement } from "../../tools/batched-database.ts";

export const REGIONS = ["Los Angeles", "New York", "London", "Mumbai", "Sydney"] as const;
export type Region = (typeof REGIONS)[number];

/** Round-trip milliseconds between data centers, from public tables of cloud providers. */
const ROUND_TRIPS: readonly (readonly number[])[] = [
	[2, 65, 140, 225, 140],
	[65, 2, 75, 190, 200],
	[140, 75, 2, 115, 265],
	[225, 190, 115, 2, 150],
	[140, 200, 265, 150, 2],
];

/** @returns round-trip milliseconds */
export const roundTrip = (from: Region, to: Region): number =>
	ROUND_TRIPS[REGIONS.indexOf(from)]?.[REGIONS.indexOf(to)] ?? 0;

/**
 * Replaces the Worker's D1 binding and forwards everything to `Regions.answer`. As with D1's own, a
 * session starts where it is told to and continues from the newest state it has seen.
 */
export const REGIONAL_D1 = `export default function ({ REGIONS }) {
	const prepare = (sql) => ({ bind: (...params) => ({ sql, params }) });
	const ask = async (start, batch) => {
		const answer = await REGIONS.fetch("http://regions/", { method: "POST", body: JSON.stringify({ start, batch }) });
		if (!answer.ok) throw new Error("D1_ERROR: " + await answer.text());
		return answer.json();
	};
	return {
		prepare,
		batch: async (list) => (await ask("always-primary", list)).results,
		withSession(start) {
			let at = start;
			return {
				prepare,
				async batch(list) {
					const { results, bookmark } = await ask(at, list);
					if (at.startsWith("first-") || bookmark > at) at = bookmark;
					return results;
				},
				getBookmark: () => (at.startsWith("first-") ? null : at),
			};
		},
	};
}`;

/** A batch's round trip: who answered it, and how many milliseconds that took. */
export type Trip = { readonly to: Region; readonly isReplica: boolean; readonly ms: number };

type BatchRequest = { readonly start: string; readonly batch: readonly BoundStatement[] };
type BatchResponse = { readonly bookmark: string; readonly results: readonly BatchResult[] };
type Write = { readonly at: number; readonly batch: readonly BoundStatement[] };
/** A replica, and how many writes it has received. */
type Replica = { readonly lag: number; applied: number };

const WRITE =
	/^\s*(insert|update|delete|replace|with\b[\s\S]*\b(insert into|update|delete from))\b/i;
const isWrite = ({ sql }: BoundStatement) => WRITE.test(sql);
const bookmarkOf = (position: number) => `${String(position).padStart(8, "0")}-00000000-00004e2a`;

export class Regions {
	/** Where the next request arrives. */
	region: Region;
	/** Elapsed milliseconds. */
	elapsed = 0;
	/** Round trips since they were last read. */
	trips: Trip[] = [];
	/** True to let replicas ignore bookmarks. */
	ignoresBookmarks = false;
	/** True to make all replicas fail. */
	areReplicasDown = false;
	private readonly writes: Write[] = [];
	private readonly replicas: ReadonlyMap<Region, Replica>;
	private open: (name: string) => D1Database = () => {
		throw new Error("call use() to give these regions their databases");
	};

	/** @param lags each region's replica lag in milliseconds; a region without one has no replica */
	constructor(
		readonly primary: Region,
		lags: Partial<Readonly<Record<Region, number>>>,
	) {
		this.region = primary;
		this.replicas = new Map(
			REGIONS.flatMap((region) => {
				const lag = lags[region];
				return lag === undefined ? [] : [[region, { lag, applied: 0 }] as const];
			}),
		);
	}

	/** The replicas' databases, by the names that the proxy Worker has for them. */
	get databases(): Record<string, string> {
		return Object.fromEntries(
			[...this.replicas.keys()].map((region) => [nameOf(region), nameOf(region)]),
		);
	}

	/** @param open opens a database by name */
	use(open: (name: string) => D1Database): void {
		this.open = open;
	}

	/** The replicas' databases, which must start with the primary's rows. */
	replicaDatabases(): D1Database[] {
		return [...this.replicas.keys()].map((region) => this.open(nameOf(region)));
	}

	/** Advances time. */
	pass(milliseconds: number): void {
		this.elapsed += milliseconds;
	}

	/** The round trips since the last call. */
	takeTrips(): Trip[] {
		return this.trips.splice(0);
	}

	/** Answers the Worker's binding, as a service of the simulated network. */
	readonly answer = async (request: { text(): Promise<string> }): Promise<Response> => {
		try {
			return Response.json(await this.run(JSON.parse(await request.text())));
		} catch (error) {
			return new Response(error instanceof Error ? error.message : String(error), { status: 500 });
		}
	};

	private run({ start, batch }: BatchRequest): Promise<BatchResponse> {
		const replica = this.replicas.get(this.region);
		if (start === "always-primary" || start === "first-primary" || !replica)
			return this.runOnPrimary(batch);
		return this.runOnReplica(replica, start, batch);
	}

	private async runOnPrimary(batch: readonly BoundStatement[]): Promise<BatchResponse> {
		const ms = roundTrip(this.region, this.primary);
		this.trips.push({ to: this.primary, isReplica: false, ms });
		const results = await runAll(this.open("DB"), batch);
		if (batch.some(isWrite)) this.writes.push({ at: this.elapsed, batch });
		return { bookmark: bookmarkOf(this.writes.length), results };
	}

	private async runOnReplica(
		replica: Replica,
		start: string,
		batch: readonly BoundStatement[],
	): Promise<BatchResponse> {
		const { region } = this;
		if (this.areReplicasDown) throw new Error("the replica is down");
		if (batch.some(isWrite)) throw new Error("syntax error: a write was sent to a replica");
		const least = this.ignoresBookmarks || start === "first-unconstrained" ? 0 : positionOf(start);
		if (least > this.writes.length)
			throw new Error("this database has never been at that bookmark");
		const wanted = this.writes.filter(
			({ at }, position) => at + replica.lag <= this.elapsed || position < least,
		).length;
		const last = this.writes[least - 1];
		const wait = last ? Math.max(0, last.at + replica.lag - this.elapsed) : 0;
		const late = this.writes.slice(replica.applied, wanted).flatMap((write) => write.batch);
		replica.applied = Math.max(replica.applied, wanted);
		this.trips.push({ to: region, isReplica: true, ms: roundTrip(region, region) + wait });
		const results = await runAll(this.open(nameOf(region)), [...late, ...batch]);
		return { bookmark: bookmarkOf(replica.applied), results: results.slice(late.length) };
	}
}

const nameOf = (region: Region) => region.replace(/ /g, "").toUpperCase();

function positionOf(bookmark: string): number {
	const [, digits] = /^(\d{8})-00000000-00004e2a$/.exec(bookmark) ?? [];
	if (!digits) throw new Error("not a bookmark");
	return Number(digits);
}

async function runAll(
	database: D1Database,
	batch: readonly BoundStatement[],
): Promise<readonly BatchResult[]> {
	return database.batch(batch.map(({ sql, params }) => database.prepare(sql).bind(...params)));
}
