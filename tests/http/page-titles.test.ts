/** What a tab and a browser's history call a page. */
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { insertPublishedWeek, settlementId } from "../support/settlements.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const [ada, dana] = [await fleet.as("ada"), await fleet.as("dana")];
const run = fleet.sql.bind(fleet);

const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const headingOf = (html: string) => /<h1[^>]*>([^<]*)/.exec(html)?.[1];

it("names the one thing that a page is about, as its heading does", async () => {
	await insertRequest(run, 1, "dana");
	const { id } = await gather(ada, { requestIds: [await insertApproved(run, 2, "dana", 1250)] });
	const week = await insertPublishedWeek(run, 50, "dana");
	for (const [client, path] of [
		[ada, `/payouts/${id}`],
		[ada, `/settlements/${settlementId(50)}`],
		[ada, `/drivers/${idOf("dana")}`],
		[dana, `/earnings/${week}`],
	] as const) {
		const { text } = await client.get(path);
		expect(headingOf(text), path).toMatch(/PO-|ST-|Dana|20\d\d/);
		expect(titleOf(text), path).toBe(`${headingOf(text)} · Milepost`);
	}
	const { text } = await ada.get("/fund-requests?open=FR-000001");
	expect(titleOf(text)).toBe("FR-000001 · Fund Request Management · Milepost");
});
