/** Earnings: a driver's weeks as they were settled, and the current one so far. */
import { NOT_WORKED_OUT } from "../../domain/settlements/shown.ts";
import { Pages } from "../../ui/pages.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { SettlementLines } from "../../ui/settlement-lines.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useView } from "../../ui/use-view.ts";
import { type EarningsData, earningsView } from "./view.server.ts";

export const handle = { title: "Earnings" };

export const loader = earningsView;

/** One published week, which opens its lines. */
function Week({ week }: { week: EarningsData["weeks"][number] }) {
	return (
		<li className="relative grid grid-cols-[minmax(7rem,1fr)_auto] items-center @max-[15rem]:grid-cols-1 gap-x-3 px-3 py-2 hover:bg-sunken sm:px-4">
			<a
				className="font-semibold text-accent no-underline after:absolute after:inset-0"
				href={week.href}
			>
				{week.week}
			</a>
			<span className="text-end font-semibold whitespace-nowrap tabular-nums">{week.result}</span>
			<span className="col-span-full flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
				<span className="me-auto text-sm text-quiet">
					<span className="whitespace-nowrap">{week.number}</span>
					{week.payment ? (
						<>
							{" · "}
							<span className="whitespace-nowrap @max-[15rem]:whitespace-normal">
								{week.payment}
							</span>
						</>
					) : null}
				</span>
				<span className="flex flex-wrap justify-end gap-1">
					{week.question ? <Badge variant={week.question.tone}>{week.question.label}</Badge> : null}
					<Badge variant={week.tone}>{week.status}</Badge>
				</span>
			</span>
		</li>
	);
}

function SoFar({ soFar }: { soFar: NonNullable<EarningsData["soFar"]> }) {
	return (
		<Section
			id="so-far"
			title={
				<span className="flex flex-wrap items-center gap-2">
					This week so far <Badge variant="wait">Not final</Badge>
				</span>
			}
		>
			<p className="text-quiet">
				{`${soFar.week}. Statements, trips and charges can still come in, and nothing is due before the week is published.`}
				{soFar.hasAgreement ? "" : " No agreement covers it yet, so only charges are shown."}
			</p>
			{soFar.lines.length > 0 || soFar.sums.length > 1 ? (
				<SettlementLines
					caption="This week so far, not final"
					lines={soFar.lines}
					sums={soFar.sums}
				/>
			) : (
				<Empty>Nothing yet</Empty>
			)}
		</Section>
	);
}

export default function Earnings() {
	const { viewer, isFirstPage, soFar, open, weeks, pages } = useView<EarningsData>();
	return (
		<Portal
			viewer={viewer}
			current="/earnings"
			title="Earnings"
			subtitle={`Your weeks, line by line. ${NOT_WORKED_OUT}`}
		>
			{soFar ? <SoFar soFar={soFar} /> : null}
			<Section id="weeks" title="Settled weeks">
				{open ? <p>{`${open} isn't published yet.`}</p> : null}
				{weeks.length > 0 ? (
					<ul className="@container divide-y divide-line surface">
						{weeks.map((week) => (
							<Week key={week.id} week={week} />
						))}
					</ul>
				) : (
					<Empty>
						{isFirstPage
							? "No weeks yet. Each appears here once your fleet has published it."
							: "No earlier weeks"}
					</Empty>
				)}
				<Pages links={pages} label="Pages of weeks" />
			</Section>
		</Portal>
	);
}
