/** GET and PUT /api/settlements/{id} (docs/product.md, 'The week'): publishing and voiding it. */
import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requirePortal } from "../auth/guard.server.ts";
import { publishSettlements } from "../domain/settlements/commands/publish.server.ts";
import { voidSettlements } from "../domain/settlements/commands/void.server.ts";
import { changeSettlementBody } from "../domain/settlements/input.ts";
import { settlementWithMessagesJson } from "../domain/settlements/json.ts";
import { findOwnWeek } from "../domain/settlements/own.server.ts";
import { findSettlement } from "../domain/settlements/queries.server.ts";
import { whyNotPublished, whyNotVoided } from "../domain/settlements/refusals.ts";
import type { SettlementRow } from "../domain/settlements/rows.server.ts";
import { toSettlement } from "../domain/settlements/settlement.ts";
import { parseJsonAs } from "../http/json.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";

const show = ([row]: readonly SettlementRow[]) =>
	row
		? json(settlementWithMessagesJson(toSettlement(row)))
		: apiRefusal(404, "Settlement not found");

export async function loader(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const portal = await requirePortal(
		args,
		({ build }) => ({ found: findSettlement(build, id) }),
		({ build, me }) => ({ found: findOwnWeek(build, me, id) }),
	);
	if (portal.kind === "visitor") throw new Error("visitors can't open this route");
	return show(portal.answers.found);
}

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const id = args.params.id ?? "";
	const { status, result } = parseJsonAs(args.context, changeSettlementBody);
	if (status === "published") {
		const results = result === undefined ? {} : { [id]: result };
		const outcome = await publishSettlements(admin, [id], results);
		return outcome.ok ? show(outcome.value) : refusedCall(whyNotPublished(outcome, admin));
	}
	const outcome = await voidSettlements(admin, [id]);
	return outcome.ok ? show(outcome.value) : refusedCall(whyNotVoided(outcome, admin));
}
