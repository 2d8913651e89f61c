/** The fleet's webhooks: adding and changing them, and what they were sent. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { toResponse } from "../../http/intent.server.ts";
import { FreshSignIn } from "../../ui/fresh-sign-in.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { type WebhooksAnswer, webhooksAction } from "./actions.server.ts";
import { Deliveries } from "./deliveries.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { type WebhooksData, webhooksView } from "./view.server.ts";
import { Webhook } from "./webhook.tsx";

export const handle = { title: "Webhooks" };

export const loader = webhooksView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const query = new URL(args.request.url).searchParams;
	return toResponse(await webhooksAction(args.context, admin, query));
}

export default function Webhooks() {
	const data = useView<WebhooksData>();
	const answer = useAnswer<WebhooksAnswer>();
	return (
		<Portal
			viewer={data.viewer}
			current="/settings"
			title="Webhooks"
			subtitle="Tell another program when something happens here. It receives an ID and a number, and can ask the API for the rest."
			toast={answer?.toast}
		>
			{answer?.secret ? (
				<ShownOnce what="secret" text={answer.secret}>
					The receiver checks each event's signature with it, by the Standard Webhooks convention.
				</ShownOnce>
			) : null}
			<Section id="webhooks" title="Webhooks">
				{data.webhooks.length === 0 ? <Empty>No webhooks yet.</Empty> : null}
				{data.webhooks.map((webhook) => (
					<Webhook
						key={webhook.id}
						webhook={webhook}
						unsaved={answer?.chosen?.id === webhook.id ? answer.chosen.events : undefined}
					/>
				))}
			</Section>
			<Section id="new" title="New webhook">
				<Card>
					<p className="pb-4 text-quiet">
						<FreshSignIn change="add one and replace secrets" returnTo="/settings/webhooks" />
					</p>
					{data.isFull ? (
						<p>You have five webhooks, which is the limit. Remove one to add another.</p>
					) : (
						<NewWebhook newKey={data.newKey} answer={answer} />
					)}
				</Card>
			</Section>
			<Section id="deliveries" title="Deliveries in the last 30 days">
				<Deliveries deliveries={data.deliveries} pages={data.pages} here={data.here} />
				<Pages links={data.pages} anchor="deliveries" />
			</Section>
		</Portal>
	);
}
