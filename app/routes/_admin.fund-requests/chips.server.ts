/** The list by status, and the active filters, each with the URL of the list without it. */
import { SHORT_TYPE_LABELS, STATUS_LABELS } from "../../domain/fund-requests/rules.ts";
import {
	FILTER_NAMES,
	FILTER_STATUSES,
	type FilterName,
	formatSearch,
	type RequestSearch,
} from "../../domain/fund-requests/search.ts";
import { MAX_WAITING, type Waiting } from "../../domain/kernel/waiting.ts";
import type { Tab } from "../../ui/tabs.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import {
	bandLabels,
	FLAG_LABELS,
	PAYMENT_LABELS,
	QUESTION_FILTER_LABELS,
} from "./filter-labels.ts";

/**
 * The statuses; the other filters stay. The first has the number of its requests, unless other
 * filters reduce it.
 */
export function tabsOf(view: RequestSearch, { requests = 0 }: Waiting = {}): readonly Tab[] {
	const isWhole = FILTER_NAMES.every((name) => name === "status" || !view.filters[name]);
	const pending = requests > MAX_WAITING ? `${MAX_WAITING}+` : requests;
	return [...FILTER_STATUSES, undefined].map((status) => {
		const words = status ? STATUS_LABELS[status] : "All";
		const filters = { ...view.filters, status };
		return {
			words: status === "pending" && requests > 0 && isWhole ? `${words} ${pending}` : words,
			href: `/fund-requests${formatSearch({ ...view, position: undefined, filters })}`,
			isHere: view.filters.status === status,
		};
	});
}

/** @param driver the driver in the filter, with their name */
export function toChips(view: RequestSearch, driver: string | undefined) {
	const { filters } = view;
	const words: Readonly<Record<FilterName, string | undefined>> = {
		status: filters.status && STATUS_LABELS[filters.status],
		type: filters.type && SHORT_TYPE_LABELS[filters.type],
		amount: filters.amount && bandLabels()[filters.amount],
		driver: filters.driver && (driver ?? "One driver"),
		startDate: filters.startDate && `Requested from ${formatDate(filters.startDate)}`,
		endDate: filters.endDate && `Requested to ${formatDate(filters.endDate)}`,
		question: filters.question && QUESTION_FILTER_LABELS[filters.question],
		flag: filters.flag && FLAG_LABELS[filters.flag],
		payment: filters.payment && PAYMENT_LABELS[filters.payment],
	};
	return FILTER_NAMES.flatMap((name) => {
		const label = words[name];
		const without = { ...view, position: undefined, filters: { ...filters, [name]: undefined } };
		return label ? [{ name, label, url: `/fund-requests${formatSearch(without)}` }] : [];
	});
}
