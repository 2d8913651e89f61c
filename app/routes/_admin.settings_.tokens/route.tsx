/** The fleet's tokens: making one, and revoking any. */
import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { TOKEN_FIELDS } from "../../domain/tokens/fields.ts";
import { newTokenInput } from "../../domain/tokens/input.ts";
import { DEFAULT_DAYS, SCOPE_LABELS } from "../../domain/tokens/rules.ts";
import { toResponse } from "../../http/intent.server.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { FreshSignIn } from "../../ui/fresh-sign-in.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { Portal } from "../../ui/shell.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { type TokensAnswer, tokensAction } from "./actions.server.ts";
import { type TokensData, tokensView } from "./view.server.ts";

export const handle = { title: "Tokens" };

export const loader = tokensView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	return toResponse(await tokensAction(args.context, admin));
}

function NewToken({ newKey }: TokensData) {
	const answer = useAnswer<TokensAnswer>();
	const [form, fields] = useForm<Record<keyof typeof TOKEN_FIELDS | "key", string>>({
		id: "token-form",
		lastResult: answer?.form ?? null,
		defaultValue: { days: String(DEFAULT_DAYS) },
		constraint: constraintOf(newTokenInput),
		defaultNoValidate: false,
	});
	const key = answer?.needsNewKey ? newKey : fields.key.initialValue || newKey;
	return (
		<form method="post" action="/settings/tokens" className="grid gap-4">
			<input type="hidden" name="key" value={key} />
			<Problems problems={form.errors ?? []} takesFocus />
			<div className="grid items-start gap-4 sm:grid-cols-3">
				<TextField
					field={fields.name}
					label={TOKEN_FIELDS.name.label}
					hint="What uses it, such as Payroll. The audit shows it beside your name."
				/>
				<SelectField
					field={fields.scope}
					label={TOKEN_FIELDS.scope.label}
					hint="No token can change people, settings or tokens."
					options={Object.entries(SCOPE_LABELS)}
				/>
				<TextField
					field={fields.days}
					label={TOKEN_FIELDS.days.label}
					hint="At most 366. You get an email a week before."
					inputMode="numeric"
				/>
			</div>
			<p className="text-quiet">
				<FreshSignIn change="create one" returnTo="/settings/tokens" />
			</p>
			<div>
				<Button pending="Creating..." size="wide">
					Create token
				</Button>
			</div>
		</form>
	);
}

const COLUMNS = [
	{ head: "Name" },
	{ head: "Access" },
	{ head: "Acts as" },
	{ head: "Last used" },
	{ head: "Expires" },
];
const LIVE_COLUMNS = [...COLUMNS, { head: "Actions", isHidden: true, isControl: true }];
const ENDED_COLUMNS = [...COLUMNS, { head: "Status" }];

type Token = TokensData["live"][number];

function Facts({ name, scope, owner, lastUsed, expires }: Token) {
	return (
		<>
			<TableRowHead label="Name">
				<bdi className="wrap-anywhere">{name}</bdi>
			</TableRowHead>
			<TableCell label="Access">{scope}</TableCell>
			<TableCell label="Acts as">
				<bdi>{owner}</bdi>
			</TableCell>
			<TableCell label="Last used">{lastUsed}</TableCell>
			<TableCell label="Expires">{expires}</TableCell>
		</>
	);
}

function Live({ tokens }: { tokens: readonly Token[] }) {
	if (tokens.length === 0) return <Empty>No tokens yet. A script needs one to use the API.</Empty>;
	return (
		<DataTable caption="Tokens" columns={LIVE_COLUMNS}>
			{tokens.map((token) => (
				<tr key={token.id} id={`token-${token.id}`}>
					<Facts {...token} />
					<TableCell isControl>
						<form method="post" action="/settings/tokens" className="ms-auto w-fit">
							<input type="hidden" name="intent" value="revoke" />
							<input type="hidden" name="id" value={token.id} />
							<Button variant="outline" pending="Revoking...">
								Revoke<span className="sr-only"> {token.name}</span>
							</Button>
						</form>
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}

function Ended({ tokens }: { tokens: readonly Token[] }) {
	return (
		<DataTable caption="Revoked and expired tokens" columns={ENDED_COLUMNS}>
			{tokens.map((token) => (
				<tr key={token.id} id={`token-${token.id}`}>
					<Facts {...token} />
					<TableCell label="Status">{token.end}</TableCell>
				</tr>
			))}
		</DataTable>
	);
}

export default function Tokens() {
	const data = useView<TokensData>();
	const answer = useAnswer<TokensAnswer>();
	return (
		<Portal
			viewer={data.viewer}
			current="/settings"
			title="Tokens"
			subtitle="What scripts sign in with. Each acts as the administrator who made it, until it expires or their access ends."
			toast={answer?.toast}
		>
			{answer?.made ? (
				<ShownOnce what="token" text={answer.made}>
					Send it with every request as the header <code>Authorization: Bearer</code>, followed by a
					space and the token. Don't put it into a link: links are kept in logs and histories.
				</ShownOnce>
			) : null}
			<Section id="tokens" title="Tokens">
				<Live tokens={data.live} />
			</Section>
			<Section id="new" title="New token">
				<Card>
					<NewToken {...data} />
				</Card>
			</Section>
			{data.ended.length > 0 ? (
				<Section id="ended" title="Revoked and expired">
					<Ended tokens={data.ended} />
				</Section>
			) : null}
		</Portal>
	);
}
