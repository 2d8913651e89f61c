/** The boxes of requests that can be decided, and the form that approves the ticked ones. */
import { Button, toGetForm } from "../../ui/primitives/button.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import { BULK_BUTTON } from "./dialog-url.ts";
import type { RowView } from "./row.server.ts";
import type { FundRequestsData } from "./view.server.ts";

const BULK = "bulk";

/**
 * One form for all ticked rows, which the boxes refer to. It opens the dialog with their sum. With
 * a script the count is live and one box ticks them all.
 */
export function BulkForm({ data }: { data: FundRequestsData }) {
	const { query, isAllSelected, rows } = data;
	if (!data.mayDecide) return null;
	const selectable = rows.filter((row) => isDecidable(row, data));
	const selected = selectable.filter(({ id }) => isAllSelected || data.ticked.includes(id));
	const isDisabled = selectable.length === 0;
	const other = isAllSelected ? query : `${query}${query ? "&" : "?"}select=all`;
	return (
		<form
			id={BULK}
			method="get"
			action="/fund-requests"
			data-select-rows="Bulk Approve"
			className="selection-bar flex flex-wrap items-center justify-between gap-x-3"
		>
			{toGetForm(query).fields.map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			<input type="hidden" name="dialog" value="bulk" />
			<SelectAll
				isAllSelected={isAllSelected}
				href={`/fund-requests${other}`}
				isDisabled={isDisabled}
			/>
			<output data-select-sum className="ms-auto font-semibold tabular-nums" />
			<Button
				id={BULK_BUTTON}
				variant={data.desk ? "outline" : "default"}
				disabled={isDisabled}
			>{`Bulk Approve (${selected.length})`}</Button>
		</form>
	);
}

/** Whether the reader may decide the request. */
export const isDecidable = (row: RowView, data: FundRequestsData) =>
	data.mayDecide && row.isPending && !row.isOwn;

/** The box of a row. */
export function Tick({ row, data }: { row: RowView; data: FundRequestsData }) {
	return (
		<label className="inline-grid size-11 place-items-center">
			<span className="sr-only">{`Select ${row.number}`}</span>
			<input
				type="checkbox"
				form={BULK}
				name="ids"
				value={row.id}
				defaultChecked={data.isAllSelected || data.ticked.includes(row.id)}
				data-cents={row.cents}
				className="size-5"
			/>
		</label>
	);
}
