/** What the screen shows: the webhooks, and a page of what they were sent. */

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import {
	DELIVERIES_PAGE,
	listDeliveries,
	selectWebhooks,
} from "../../domain/webhooks/queries.server.ts";
import {
	deliveryState,
	MAX_WEBHOOKS,
	secretMark,
	type WebhookEvent,
} from "../../domain/webhooks/rules.ts";
import { parseSearch, webhooksUrl } from "../../domain/webhooks/search.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatMoment } from "../../values/calendar-date.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";

type Webhook = Awaited<ReturnType<typeof selectWebhooks>>[number];
type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number];

function toWebhook(timeZone: string, now: number, row: Webhook) {
	const { id, url, switchedOffAt, failingSince, olderSecretUntil } = row;
	const isOlderValid = olderSecretUntil !== null && olderSecretUntil > now;
	return {
		id,
		url,
		host: new URL(url).host,
		events: JSON.parse(row.events) as WebhookEvent[],
		isOn: switchedOffAt === null,
		/** Its state in words, if it isn't simply on. */
		state:
			switchedOffAt !== null
				? `Switched off ${formatMoment(timeZone, switchedOffAt)}${failingSince === null ? "" : ", after failing for five days"}`
				: failingSince !== null
					? `Failing since ${formatMoment(timeZone, failingSince)}`
					: "",
		isFailing: failingSince !== null,
		/** Says which secret 'Replace secret' is about. */
		secretMark: secretMark(olderSecretUntil),
		olderSecret: isOlderValid
			? `The secret before this one also signs until ${formatMoment(timeZone, olderSecretUntil)}.`
			: "",
	};
}

function toDelivery(timeZone: string, row: Delivery) {
	const { id, event, number, status, attempts, lastError, deliveredAt, sendAfter } = row;
	const state = deliveryState(row);
	const next = state === "retrying" ? `Next try ${formatMoment(timeZone, sendAfter)}.` : "";
	return {
		id,
		event,
		number: number ?? "",
		host: new URL(row.url).host,
		when: formatMoment(timeZone, row.createdAt),
		state,
		detail:
			deliveredAt !== null
				? formatMoment(timeZone, deliveredAt)
				: [lastError, attempts > 0 ? `Tries: ${attempts}.` : "", next].filter(Boolean).join(" "),
		canSendAgain: row.isOn === 1 && (status === "delivered" || status === "failed"),
	};
}

/** Everything the screen shows, in one trip to the database. */
export async function webhooksView(args: LoaderFunctionArgs) {
	const position = parseSearch(new URL(args.request.url).searchParams);
	const { admin, found, deliveries } = await requireAdmin(args, ({ build }) => ({
		found: selectWebhooks(build),
		deliveries: listDeliveries(build, position),
	}));
	const page = toPage(deliveries, position, DELIVERIES_PAGE, ({ createdAt, id }) => ({
		createdAt,
		id,
	}));
	return {
		viewer: toViewer(admin),
		newKey: crypto.randomUUID(),
		/** The URL of this page. */
		here: webhooksUrl(position),
		webhooks: found.map((row) => toWebhook(admin.timeZone, admin.now, row)),
		isFull: found.length >= MAX_WEBHOOKS,
		deliveries: page.rows.map((row) => toDelivery(admin.timeZone, row)),
		pages: pageLinks(position, page, webhooksUrl),
	};
}

export type WebhooksData = Awaited<ReturnType<typeof webhooksView>>;
