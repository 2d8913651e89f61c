/** The lines of a payout: a driver with their sum, requests and settlements. */
import { driverPath } from "../../domain/people/search.ts";
import { Section } from "../../ui/primitives/section.tsx";
import type { PayoutData } from "./view.server.ts";

type Line = PayoutData["lines"][number];

function RequestItem({ request }: { request: Line["requests"][number] }) {
	return (
		<li className="flex flex-wrap items-baseline gap-x-4 py-2">
			<span className="min-w-0 flex-1 basis-32">
				<a
					className="font-semibold whitespace-nowrap text-accent"
					href={`/fund-requests?open=${request.number}`}
				>
					{request.number}
				</a>
				<span className="text-quiet">
					{` ${request.type}, `}
					<span className="inline-block">{request.date}</span>
				</span>
				<span className="block text-sm wrap-anywhere text-quiet">
					<bdi>{request.description}</bdi>
				</span>
			</span>
			<span className="ms-auto tabular-nums">{request.amount}</span>
		</li>
	);
}

function SettlementItem({ settlement }: { settlement: Line["settlements"][number] }) {
	return (
		<li className="flex flex-wrap items-baseline gap-x-4 py-2">
			<span className="min-w-0 flex-1 basis-32">
				<a
					className="font-semibold whitespace-nowrap text-accent"
					href={`/settlements/${settlement.id}`}
				>
					{settlement.number}
				</a>
				<span className="text-quiet">
					{" Settlement, "}
					<span className="inline-block">{settlement.week}</span>
				</span>
			</span>
			<span className="ms-auto tabular-nums">{settlement.amount}</span>
		</li>
	);
}

export function Lines({ data }: { data: PayoutData }) {
	return (
		<Section id="lines" title="Drivers">
			<ul className="divide-y divide-line surface">
				{data.lines.map((line) => (
					<li key={line.id} id={`line-${line.id}`} className="grid gap-1 p-4 sm:px-6">
						<div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4">
							<h3 className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
								<a
									className="inline-flex min-h-11 items-center text-accent no-underline hover:underline"
									href={driverPath(line.id)}
								>
									<span>
										<bdi>{line.name}</bdi>
									</span>
								</a>{" "}
								<span className="inline-block font-normal text-quiet">{line.code}</span>
							</h3>
							<p className="text-lg font-semibold tabular-nums">{line.amount}</p>
						</div>
						<ul className="divide-y divide-line">
							{line.requests.map((request) => (
								<RequestItem key={request.id} request={request} />
							))}
							{line.settlements.map((settlement) => (
								<SettlementItem key={settlement.id} settlement={settlement} />
							))}
						</ul>
					</li>
				))}
			</ul>
		</Section>
	);
}
