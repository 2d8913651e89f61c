/** The form that approves many requests at once. */
import type { Client } from "./worker.ts";

/** The bulk form's checkboxes. */
export const checkboxFields = (html: string) =>
	[...html.matchAll(/<input type="checkbox" form="bulk"[^>]*>/g)].map(([box]) => ({
		id: /value="([^"]+)"/.exec(box)?.[1] ?? "",
		isTicked: /checked=""/.test(box),
	}));

/** Sends the bulk form with these rows selected. */
export function postBulk(client: Client, ids: readonly string[], path = "/fund-requests") {
	const fields: [string, string][] = [
		["intent", "bulk-approve"],
		...ids.map((id): [string, string] => ["ids", id]),
	];
	return client.request(path, {
		method: "POST",
		headers: { "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(fields),
	});
}
