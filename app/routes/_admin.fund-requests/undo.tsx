/** The buttons that undo a decision, or all that the toast reports. */
import { Button } from "../../ui/primitives/button.tsx";
import type { FundRequestsAnswer } from "./actions.server.ts";
import type { RowView } from "./row.server.ts";
import type { FundRequestsData } from "./view.server.ts";

/**
 * The toast's action after decisions: undo all of them.
 * @param answer to a post that didn't redirect: its toast reports only its own decisions
 */
export function UndoChanged({
	undoAll,
	answer,
}: Pick<FundRequestsData, "undoAll"> & { answer: FundRequestsAnswer | undefined }) {
	const reported = answer
		? undoAll.numbers.filter((number) => answer.decided?.includes(number))
		: undoAll.numbers;
	if (reported.length === 0) return null;
	return (
		<form method="post" action={`${undoAll.url}&undo=${reported.join(".")}`}>
			<input type="hidden" name="intent" value="undo-changed" />
			<input type="hidden" name="seen" value={undoAll.seen} />
			<Button variant="outline" pending="Undoing..." className="mt-2" data-key="u">
				Undo
				<span className="sr-only">
					{reported.length === 1 ? " the decision" : ` the ${reported.length} decisions`}
				</span>
			</Button>
		</form>
	);
}

/** What the form that undoes a decision sends: which request's, and which of its decisions. */
export function UndoFields({ id, decidedAt }: Pick<RowView, "id" | "decidedAt">) {
	return (
		<>
			<input type="hidden" name="intent" value="undo" />
			<input type="hidden" name="id" value={id} />
			<input type="hidden" name="seen" value={decidedAt ?? ""} />
		</>
	);
}

/** Undoes the decision on a row's request. */
export function UndoRow({ row, url }: { row: RowView; url: string }) {
	return (
		<form method="post" action={url}>
			<UndoFields {...row} />
			<Button variant="ghost" pending="Undoing..." className="px-1 text-sm">
				Undo
				<span className="sr-only">{` the decision on ${row.number}`}</span>
			</Button>
		</form>
	);
}
