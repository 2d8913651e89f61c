/** What the screen shows: the working tokens, and the latest ended ones. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { displayName } from "../../domain/people/rules.ts";
import { selectEndedTokens, selectLiveTokens } from "../../domain/tokens/queries.server.ts";
import { SCOPE_LABELS } from "../../domain/tokens/rules.ts";
import { toViewer } from "../../ui/viewer.ts";
import { dateIn, formatDate, formatMoment } from "../../values/calendar-date.ts";

type Row = Awaited<ReturnType<typeof selectLiveTokens>>[number];

/** A token in a list; its use is shown by day, since no more is stored. */
function toToken(timeZone: string, row: Row) {
	const { id, name, scope, expiresAt, lastUsedAt, revokedAt } = row;
	return {
		id,
		name,
		scope: SCOPE_LABELS[scope],
		owner: displayName({
			firstName: row.ownerFirstName,
			lastName: row.ownerLastName,
			email: row.ownerEmail,
		}),
		lastUsed: lastUsedAt === null ? "Never" : formatDate(dateIn(timeZone, lastUsedAt)),
		expires: formatMoment(timeZone, expiresAt),
		end: revokedAt === null ? "Expired" : `Revoked ${formatMoment(timeZone, revokedAt)}`,
	};
}

/** Everything the screen shows, in one trip to the database. */
export async function tokensView(args: LoaderFunctionArgs) {
	const { admin, live, ended } = await requireAdmin(args, ({ build, now }) => ({
		live: selectLiveTokens(build, now),
		ended: selectEndedTokens(build, now),
	}));
	return {
		viewer: toViewer(admin),
		newKey: crypto.randomUUID(),
		live: live.map((row) => toToken(admin.timeZone, row)),
		ended: ended.map((row) => toToken(admin.timeZone, row)),
	};
}

export type TokensData = Awaited<ReturnType<typeof tokensView>>;
