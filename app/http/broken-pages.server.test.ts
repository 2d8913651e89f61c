/** Paged responses whose later pages can't be read. */
import { expect, it } from "vitest";
import { csvFile } from "./csv.server.ts";
import { listResponse, parseList } from "./list.server.ts";

const rows = Array.from({ length: 5 }, (_, number) => ({ number }));
const broken = () => Promise.reject(new Error("the database is down"));
const request = new Request("http://x/api/rows");
const lists: Readonly<Record<string, () => Response | Promise<Response>>> = {
	list: () =>
		listResponse(
			{
				request,
				context: { env: {}, userId: "1", isStreamed: false },
			},
			parseList(request, { isCursor: () => true }),
			{ rows, next: "5" },
			broken,
			(row) => row,
		),
	export: () =>
		csvFile("rows.csv", ["Number"], rows, broken, ({ number }) => [String(number)], rows.length),
};

/** Otherwise the runtime would answer 500 with its own text, since nothing had been sent yet. */
it.each(Object.keys(lists))("a %s sends what was read, and then breaks off", async (name) => {
	const response = await lists[name]?.();
	const reader = response?.body?.getReader();
	// The reader is slower than the database.
	await new Promise((resolve) => setTimeout(resolve, 20));
	const first = await reader?.read();
	expect(new TextDecoder().decode(first?.value)).toContain("4");
	await expect(reader?.read()).rejects.toThrow("the database is down");
});
