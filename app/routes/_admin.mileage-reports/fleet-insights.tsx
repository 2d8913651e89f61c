/** 'Fleet Insights': the number of drivers in each tier, and what to look into. */
import type { ReactNode } from "react";
import type { Recommendation } from "../../domain/analytics/recommendations.ts";
import { TIERS, type Tier } from "../../domain/analytics/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { pluralize } from "../../values/count.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatDollars } from "../../values/money.ts";
import type { ReportData } from "./view.server.ts";

const tierNotes = ({
	excellentUnderCents,
	goodUnderCents,
}: ReportData["thresholds"]): Readonly<Record<Tier, string>> => ({
	Excellent: `under ${formatDollars(excellentUnderCents)} ${inUnits("per mile")}`,
	Good: `${formatDollars(excellentUnderCents)} to ${formatDollars(goodUnderCents - 1)} ${inUnits("per mile")}`,
	"Needs Improvement": `${formatDollars(goodUnderCents)} or more ${inUnits("per mile")}`,
});

const KINDS = {
	over: ["bad", "Over target"],
	fuel: ["wait", "Fuel without miles"],
	flagged: ["wait", "Flagged entries"],
	fine: ["good", "On target"],
	efficient: ["good", "Most efficient"],
} as const satisfies Record<Recommendation["kind"], readonly [string, string]>;

/** A recommendation whose names are links. */
function Sentence({ text, named }: Recommendation) {
	const parts: ReactNode[] = [];
	let rest = text;
	for (const { id, name } of named) {
		const at = rest.indexOf(name);
		if (at < 0) continue;
		parts.push(
			rest.slice(0, at),
			<a key={id} href={driverPath(id)} className="text-accent underline">
				{name}
			</a>,
		);
		rest = rest.slice(at + name.length);
	}
	return (
		<span className="wrap-anywhere">
			{parts}
			{rest}
		</span>
	);
}

export function Insights({ data: { tiers, recommendations, thresholds } }: { data: ReportData }) {
	const notes = tierNotes(thresholds);
	return (
		<Section id="insights" title="Fleet Insights">
			<Stats columns={3}>
				{TIERS.map((tier) => (
					<StatCard
						key={tier}
						label={tier}
						value={pluralize(tiers[tier], "driver")}
						note={notes[tier]}
					/>
				))}
			</Stats>
			{tiers.none > 0 ? (
				<p className="text-quiet">{`${pluralize(tiers.none, "driver")} ${inUnits(tiers.none === 1 ? "has no miles and isn't" : "have no miles and aren't")} rated.`}</p>
			) : null}
			<Card className="grid gap-3">
				<h3 className="font-semibold">Recommendations</h3>
				{recommendations.length > 0 ? (
					<ul className="grid gap-3">
						{recommendations.map((each) => (
							<li
								key={each.text}
								className="@container grid items-start justify-items-start gap-1 sm:grid-cols-[11rem_1fr] sm:gap-3"
							>
								<Badge variant={KINDS[each.kind][0]}>{inUnits(KINDS[each.kind][1])}</Badge>
								<Sentence {...each} />
							</li>
						))}
					</ul>
				) : (
					<p>No recommendations for this period</p>
				)}
			</Card>
		</Section>
	);
}
