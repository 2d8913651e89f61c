/** Several drafts that are published together: of one driver's weeks, the later follows the earlier. */
import { type Settlement, workOut } from "./settlement.ts";
import type { PublishedWeek } from "./week.ts";

/** A draft as it is published, with the ids of the settlements whose sums it carries. */
export type Chosen = Settlement & { readonly carries: readonly string[] };

/** What earlier weeks of one call leave for the later ones of their driver. */
type Left = {
	/** Corrections already made, by the first day of their week. */
	readonly corrected: Map<string, number>;
	/** Sums below zero that are carried already. */
	readonly carried: Set<string>;
	below: readonly [id: string, cents: number] | undefined;
};

const lessCorrected = (week: PublishedWeek, { corrected }: Left): PublishedWeek => ({
	...week,
	correctedCents: week.correctedCents + (corrected.get(week.facts.week.from) ?? 0),
});

/** Works out drafts in order of their weeks; anything else stays as it is. */
export function workOutTogether(settlements: readonly Settlement[]): Chosen[] {
	const byDriver = new Map<string, Left>();
	return settlements
		.toSorted((one, other) => (one.week.from < other.week.from ? -1 : 1))
		.map((settlement) => {
			const { id, driverId, draft } = settlement;
			if (!draft) return { ...settlement, carries: [] };
			const left = byDriver.get(driverId) ?? {
				corrected: new Map(),
				carried: new Set(),
				below: undefined,
			};
			byDriver.set(driverId, left);
			const carried = [
				...draft.carried.filter(([source]) => !left.carried.has(source)),
				...(left.below ? [left.below] : []),
			];
			const earlier = draft.earlier.map((week) => lessCorrected(week, left));
			const worked = workOut({ ...draft, carried, earlier });
			for (const [source] of carried) left.carried.add(source);
			for (const { about, cents } of worked.lines)
				if (about) left.corrected.set(about, (left.corrected.get(about) ?? 0) + cents);
			left.below = worked.resultCents < 0 ? [id, worked.resultCents] : undefined;
			return { ...settlement, ...worked, carries: carried.map(([source]) => source) };
		});
}
