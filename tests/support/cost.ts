/** What an answer cost the database, as its Server-Timing says: NaN in one without it. */
export function costOf({ headers }: { readonly headers: Headers }) {
	const [, trips, statements, rows] =
		/d1;desc="(\d+) trips?, (\d+) statements?, (\d+) rows?/.exec(
			headers.get("Server-Timing") ?? "",
		) ?? [];
	return { trips: Number(trips), statements: Number(statements), rows: Number(rows) };
}
