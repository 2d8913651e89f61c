/** A program that keeps a copy of a list of the API, following docs/api.md. */
import { expect } from "vitest";
import { currentTime } from "./clock.ts";
import type { Answer, Client } from "./worker.ts";

type Row = {
	readonly id: string;
	readonly deletedAt?: string;
	readonly role?: string;
	readonly isActive?: boolean;
	readonly approvalStatus?: string;
};
const isThere = ({ deletedAt }: Row) => deletedAt === undefined;
const isDriver = (row: Row) => isThere(row) && row.role === "driver";

/** The lists that say what has changed, and whether a changed row is still in them. */
export const FOLLOWED = {
	"/api/mileage": isThere,
	"/api/fund-requests": isThere,
	"/api/uber-fees": isThere,
	"/api/payouts": isThere,
	"/api/drivers": (row) => isDriver(row) && row.approvalStatus === "approved" && row.isActive,
	"/api/drivers/all": (row) => isDriver(row) && row.approvalStatus === "approved",
	"/api/drivers/pending": (row) =>
		isDriver(row) && row.approvalStatus === "pending" && row.isActive,
} as const satisfies Readonly<Record<string, (row: Row) => boolean | undefined>>;
export type FollowedList = keyof typeof FOLLOWED;

const nextOf = ({ headers }: Answer) =>
	/^<([^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1];

type Meanwhile = () => Promise<unknown>;

/** A copy of a list. */
export class Follower {
	/** Each row as JSON, by its id. */
	private rows = new Map<string, string>();
	private since = 0;
	/** Requests sent so far. */
	requests = 0;

	constructor(
		private readonly client: Client,
		readonly list: FollowedList,
	) {}

	/**
	 * Reads the list whole, some rows at a time.
	 * @param meanwhile happens between two pages
	 */
	async start(limit: number, meanwhile?: Meanwhile): Promise<void> {
		this.rows = new Map();
		this.since = currentTime();
		for await (const row of this.pages(`${this.list}?limit=${limit}`, meanwhile))
			this.rows.set(row.id, JSON.stringify(row));
	}

	/**
	 * Asks for what has changed since it last asked.
	 * @param meanwhile happens between two pages
	 */
	async follow(limit: number, meanwhile?: Meanwhile): Promise<void> {
		const since = new Date(this.since).toISOString();
		this.since = currentTime();
		for await (const row of this.pages(
			`${this.list}?updatedSince=${since}&limit=${limit}`,
			meanwhile,
		))
			if (FOLLOWED[this.list](row)) this.rows.set(row.id, JSON.stringify(row));
			else this.rows.delete(row.id);
	}

	/** How many rows the copy has. */
	get size(): number {
		return this.rows.size;
	}

	/** The rows in which the copy differs from the list. */
	async differences(): Promise<string[]> {
		const whole = new Map<string, string>();
		for (const row of JSON.parse((await this.read(this.list)).text) as Row[])
			whole.set(row.id, JSON.stringify(row));
		return [...new Set([...whole.keys(), ...this.rows.keys()])].flatMap((id) => {
			const [is, has] = [whole.get(id), this.rows.get(id)];
			return is === has ? [] : [`${this.list}: ${has ?? "nothing"} instead of ${is ?? "nothing"}`];
		});
	}

	private async read(path: string): Promise<Answer> {
		this.requests += 1;
		const answer = await this.client.get(path);
		expect(answer.status, `${path} ${answer.text.slice(0, 200)}`).toBe(200);
		return answer;
	}

	private async *pages(path: string, meanwhile?: Meanwhile): AsyncGenerator<Row> {
		for (let next: string | undefined = path; next; ) {
			const answer: Answer = await this.read(next);
			yield* JSON.parse(answer.text) as Row[];
			next = nextOf(answer);
			if (next) await meanwhile?.();
		}
	}
}
