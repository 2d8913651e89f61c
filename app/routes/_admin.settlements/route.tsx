/** The settlements of a week: what to check first, each driver's, and publishing the chosen ones. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { parseWeek, weekPath } from "../../domain/settlements/search.ts";
import { NOT_WORKED_OUT } from "../../domain/settlements/shown.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { Island } from "../../islands/island.tsx";
import ReviewKeys from "../../islands/review-keys.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { draftAction, publishAction, type WeekAnswer } from "./actions.server.ts";
import { Checks, Questions } from "./checks.tsx";
import { Settlements } from "./table.tsx";
import { type WeekData, weekView } from "./view.server.ts";

export const handle = { title: "Settlements" };

export const loader = weekView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const act = await chooseByIntent(args.context, { draft: draftAction, publish: publishAction });
	const { day, position } = parseWeek(new URL(args.request.url).searchParams, admin.today);
	return toResponse(await act(args.context, admin, weekPath(day, position)));
}

type Props = { readonly data: WeekData };

/** The weeks before and after, and any other by a date. */
function Weeks({ data: { earlier, later, from } }: Props) {
	return (
		<div className="flex flex-wrap items-end justify-between gap-3 print:hidden">
			<nav aria-label="Weeks" className="flex flex-wrap gap-3">
				<ButtonLink variant="outline" href={earlier}>
					Previous week
				</ButtonLink>
				{later ? (
					<ButtonLink variant="outline" href={later}>
						Next week
					</ButtonLink>
				) : null}
			</nav>
			<form method="get" action="/settlements" className="flex flex-wrap items-end gap-3">
				<PlainField id="week" label="Week of">
					{(control) => <Input {...control} type="date" name="week" defaultValue={from} />}
				</PlainField>
				<Button variant="outline">Go</Button>
			</form>
		</div>
	);
}

/** Makes drafts of everyone who has none and anything due. */
function MakeDrafts({ data, isFirst }: Props & { isFirst: boolean }) {
	return (
		<form method="post" action={data.here}>
			<input type="hidden" name="intent" value="draft" />
			<input type="hidden" name="week" value={data.from} />
			<Button variant={isFirst ? "default" : "outline"} pending="Making drafts...">
				{isFirst ? "Make drafts" : "Make missing drafts"}
			</Button>
		</form>
	);
}

function Figures({ data: { sums, count, statuses, isPart } }: Props) {
	const note = isPart ? "Of this page" : undefined;
	return (
		<Stats columns={3}>
			<StatCard label="Payable" value={sums.payable} note={note} />
			<StatCard label="Carried to the next week" value={sums.carriedOut} note={note} />
			<StatCard label="Settlements" value={count} note={statuses} />
		</Stats>
	);
}

export default function SettlementsScreen() {
	const data = useView<WeekData>();
	const answer = useAnswer<WeekAnswer>();
	const may = useMay()("POST", "/settlements");
	const hasRows = data.rows.length > 0;
	return (
		<Portal
			viewer={data.viewer}
			current="/settlements"
			title="Settlements"
			subtitle={
				<span className="grid gap-1">
					<span className="font-semibold text-ink">{data.week}</span>
					<span>{`What each driver is due for the week. ${NOT_WORKED_OUT}`}</span>
				</span>
			}
			toast={answer?.toast}
		>
			<Weeks data={data} />
			{data.overAfter && data.hasBegun ? (
				<Alert variant="wait" id="not-over">
					<p>{`This week ends on ${data.overAfter}. Until it's over, its drafts can be checked but not published.`}</p>
				</Alert>
			) : null}
			<Questions data={data} may={may} />
			<Checks data={data} />
			{hasRows ? <Figures data={data} /> : null}
			<Section
				id="settlements"
				title="Drivers"
				actions={
					hasRows ? (
						<div className="flex flex-wrap items-center gap-2 print:hidden">
							{data.firstDraft ? (
								<ButtonLink variant="outline" href={`/settlements/${data.firstDraft}`} data-key="j">
									Check one by one
								</ButtonLink>
							) : null}
							{data.hasUnpaid ? (
								<ButtonLink variant="outline" href="/payouts#unpaid">
									Go to payouts
								</ButtonLink>
							) : null}
							{may && data.hasBegun ? <MakeDrafts data={data} isFirst={false} /> : null}
						</div>
					) : null
				}
			>
				{hasRows ? (
					<Settlements data={data} may={may} />
				) : (
					<Empty pages={data.pages}>
						{data.hasBegun ? "No settlements for this week yet" : "This week hasn't begun"}
					</Empty>
				)}
				{!hasRows && may && data.hasBegun && !data.pages.first ? (
					<div>
						<MakeDrafts data={data} isFirst />
					</div>
				) : null}
				<Pages links={data.pages} label="Pages of settlements" anchor="settlements" />
				{data.voided.length > 0 ? (
					<p className="flex flex-wrap items-center gap-x-3 text-quiet">
						{data.hasMoreVoided ? `Void, latest ${data.voided.length}:` : "Void:"}
						{data.voided.map(({ href, number, name }) => (
							<a
								key={href}
								className="inline-flex min-h-11 items-center font-semibold text-accent"
								href={href}
							>
								{`${number} (${name})`}
							</a>
						))}
						{data.hasMoreVoided ? (
							<a
								className="inline-flex min-h-11 items-center font-semibold text-accent"
								href="/audit?kind=settlement.void"
							>
								and more, in the audit
							</a>
						) : null}
					</p>
				) : null}
			</Section>
			{data.firstDraft ? (
				<Island
					name="review-keys"
					component={ReviewKeys}
					props={{ keys: [["J", "Open the first draft"]] }}
					isEager
				/>
			) : null}
		</Portal>
	);
}
