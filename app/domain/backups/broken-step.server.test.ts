/** An export with a step that breaks off after some of its parts. */
import { expect, it } from "vitest";
import { contentOf, openExports, TODAY } from "../../../tests/support/nightly-exports.ts";

const { bench, backups, exportOn, restored } = await openExports();
/** Parts of four notices: more than one step writes. */
const PARTS = 40;
await bench.rows(`insert into notices (id, subject, body, created_at)
	with recursive n(i) as (select 1 union all select i + 1 from n where i < ${4 * PARTS})
	select 'notice-' || i, 'A notice', 'Its body', 1 from n`);
const OF_NOTICES = "/tables/notices/";

/** A bucket that refuses a part of the notices once. */
function refusing(part: number): R2Bucket {
	let parts = 0;
	return new Proxy(backups, {
		get(target, name) {
			if (name !== "put") return Reflect.get(target, name).bind(target);
			return (...file: Parameters<R2Bucket["put"]>) => {
				if (file[0].includes(OF_NOTICES) && ++parts === part) throw new Error("R2 is down");
				return target.put(...file);
			};
		},
	});
}

it("has each row once, though one is removed before the step is taken again", async () => {
	await expect(exportOn(0, undefined, 4, refusing(30))).rejects.toThrow("R2 is down");
	// In a part that the step has written: later ones now begin elsewhere.
	await bench.rows("delete from notices where rowid = ?", 4 * 27);
	await exportOn(0);
	expect(await contentOf((await restored()).target)).toEqual(await contentOf(bench));
});

it("has each row, though a part in between isn't there any more", async () => {
	let hasLost = false;
	await exportOn(0, async () => {
		const { objects } = await backups.list({ prefix: `nightly/${TODAY}${OF_NOTICES}` });
		if (hasLost || objects.length < 20) return;
		hasLost = true;
		await backups.delete(objects[10]?.key ?? "");
	});
	expect(hasLost).toBe(true);
	expect(await contentOf((await restored()).target)).toEqual(await contentOf(bench));
});
