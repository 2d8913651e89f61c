/** `/find?q=`: one box for people, driver IDs, emails, and the numbers of requests, payouts and settlements. */
import { FindForm } from "../../ui/find-form.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useView } from "../../ui/use-view.ts";
import { type FindData, findView } from "./view.server.ts";

export const handle = { title: "Find" };

export const loader = findView;

const CAN_BE_FOUND =
	"Enter the beginning of a name, an email, a driver ID (DRV-0012), a request number (FR-000012), a payout number (PO-000003) or a settlement number (ST-000001).";

function Hits({
	id,
	title,
	note,
	hits,
}: {
	id: string;
	title: string;
	note?: string;
	hits: FindData["people"];
}) {
	if (hits.length === 0) return null;
	return (
		<Section id={id} title={title}>
			{note ? <p role="status">{note}</p> : null}
			<ul className="divide-y divide-line surface">
				{hits.map((hit) => (
					<li key={hit.href}>
						<a
							className="grid min-h-11 content-center px-4 py-2 wrap-anywhere no-underline hover:bg-sunken"
							href={hit.href}
						>
							<span className="font-semibold text-accent">
								<bdi>{hit.title}</bdi>
							</span>
							{hit.text ? (
								<span className="text-sm text-quiet">
									<bdi>{hit.text}</bdi>
								</span>
							) : null}
						</a>
					</li>
				))}
			</ul>
		</Section>
	);
}

export default function Find() {
	const { viewer, text, people, found, others } = useView<FindData>();
	const isEmpty = people.length + others.length === 0;
	return (
		<Portal viewer={viewer} current="/find" title="Find" subtitle={CAN_BE_FOUND}>
			<FindForm text={text} isWide />
			{text && isEmpty ? (
				<Empty>{`Nothing found for "${text}". Check the spelling, or enter less of it.`}</Empty>
			) : null}
			<Hits id="numbers" title="Requests, payouts and settlements" hits={others} />
			<Hits id="people" title="People" note={found} hits={people} />
		</Portal>
	);
}
