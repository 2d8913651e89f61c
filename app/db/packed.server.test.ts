/** Columns packed into one value arrive as they would one by one. */
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { idOf } from "../../tests/support/cast.ts";
import { openDatabase } from "../../tests/support/database.ts";
import { Database } from "./client.server.ts";
import { packed } from "./packed.server.ts";
import { users } from "./schema.ts";

it("has the same values as the columns themselves", async () => {
	const bench = await openDatabase("everyone");
	const db = new Database(bench.batches);
	const { id, firstName, isActive, driverNumber, createdAt, deactivatedAt } = users;
	const columns = { id, firstName, isActive, driverNumber, createdAt, deactivatedAt };
	await bench.rows("update users set first_name = ? where id = ?", 'Zoë "Z" \\ 😀', idOf("dana"));
	const { plain, one } = await db.batch({
		plain: db.build
			.select(columns)
			.from(users)
			.where(eq(users.id, idOf("dana"))),
		one: db.build
			.select({ user: packed(columns) })
			.from(users)
			.where(eq(users.id, idOf("dana"))),
	});
	expect(plain[0]).toMatchObject({
		firstName: 'Zoë "Z" \\ 😀',
		isActive: true,
		deactivatedAt: null,
	});
	expect(one).toEqual([{ user: plain[0] }]);
});
