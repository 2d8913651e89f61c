/** A download is recorded once, however often its batch is sent. */
import { expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { recordDownload } from "./downloads.server.ts";

const bench = await openDatabase();

it("writes one entry for a request whose batch is sent again, and one for the next request", async () => {
	const admin = await bench.admin("ada");
	const download = {
		action: "report.download",
		fileName: "report.csv",
		chosen: { format: "csv", range: undefined },
	} as const;
	const entries = () =>
		bench.rows(
			"select entity, entity_id, after from audit_events where action = 'report.download'",
		);
	await recordDownload(admin, download);
	await recordDownload(admin, download);
	const entry = { entity: "file", entity_id: "report.csv", after: '{"format":"csv"}' };
	expect(await entries()).toEqual([entry]);
	await recordDownload({ ...admin, requestId: "the next" }, download);
	expect(await entries()).toEqual([entry, entry]);
});
