import { and, desc, eq, gt, sql } from "drizzle-orm";
import { agreements, users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext, UserRow } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { typedValues } from "../../kernel/record.ts";
import { isApprovedDriver } from "../../people/standing.server.ts";
import { firstDayOfWeek } from "../../statements/settlement-week.server.ts";
import type { NewAgreement } from "../input.ts";
import { AGREEMENT } from "../record.ts";
import { AUDITED } from "../rows.server.ts";
import type { Agreement } from "../rules.ts";

export type MakeAgreementRefusal =
	| Refused<"key-reused">
	| Refused<"no-such-driver">
	/** The fleet's weeks have started on another day since the form was shown. */
	| Refused<"no-first-day">
	/** Another one was made since the form was shown. */
	| Refused<"made-since", AgreementWithName>;
type AgreementWithName = {
	readonly agreement: Agreement;
	readonly driver: Pick<UserRow, "firstName" | "lastName" | "email">;
};
export type MadeAgreement = {
	readonly row: Agreement;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};

/**
 * Makes a driver's agreement as of the first day of a week, or returns the result of the same
 * submission. Earlier ones stay, even one for the same day.
 * @param openedAt when the form was shown: it isn't made over another one that was made since
 */
export async function makeAgreement(
	admin: AdminContext,
	agreement: NewAgreement,
	openedAt?: number,
): Promise<Outcome<MadeAgreement, MakeAgreementRefusal>> {
	const { driverId, key } = agreement;
	const typed = typedValues(AGREEMENT, agreement);
	const { build } = admin.db;
	const isOther =
		openedAt === undefined
			? undefined
			: and(eq(agreements.driverId, driverId), gt(agreements.createdAt, openedAt));
	const created = await createOnce(admin, {
		table: agreements,
		id: crypto.randomUUID(),
		creator: agreements.createdBy,
		key,
		payload: [driverId, ...Object.values(typed)],
		facts: {
			isDriver: isApprovedDriver(driverId),
			isMadeSince: isOther
				? sql<number>`exists (select 1 from ${agreements} where ${isOther})`
				: sql<number>`0`,
			isFirstDay: sql<number>`${agreement.from} = ${firstDayOfWeek(agreement.from)}`,
			next: sql<number>`(select coalesce(max(number), 0) + 1 from agreements
				where driver_id = ${driverId})`,
		},
		accepts: sql`isDriver and isFirstDay and not isMadeSince`,
		first: {
			others: isOther
				? build
						.select({
							agreement: agreements,
							driver: {
								firstName: users.firstName,
								lastName: users.lastName,
								email: users.email,
							},
						})
						.from(agreements)
						.innerJoin(users, eq(users.id, agreements.driverId))
						.where(isOther)
						.orderBy(desc(agreements.number))
						.limit(1)
				: undefined,
		},
		values: {
			...typed,
			driverId,
			number: sql`next`,
			createdAt: admin.now,
			createdBy: admin.user.id,
		},
		audit: { action: "agreement.make", entity: "agreement", after: AUDITED },
		read: (build, rows) => build.select().from(agreements).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused") {
		if (!created.facts.isDriver) return refused("no-such-driver");
		const [other] = created.answers.others ?? [];
		return other && created.facts.isMadeSince
			? refused("made-since", other)
			: refused("no-first-day");
	}
	return done({ row: created.row, isReplay: created.kind === "replayed" });
}
