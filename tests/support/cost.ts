/** What a response cost the database, from its Server-Timing: NaN if it has none. */
export function costOf({ headers }: { readonly headers: Headers }) {
	const [, trips, statements, rows] =
		/d1;desc="(\d+) trips?, (\d+) statements?, (\d+) rows?/.exec(
			headers.get("Server-Timing") ?? "",
		) ?? [];
	return { trips: Number(trips), statements: Number(statements), rows: Number(rows) };
}
