/** The filters of the table, as a plain GET form, and the export of what they show. */

import {
	REQUEST_TYPES,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
} from "../../domain/fund-requests/rules.ts";
import {
	AMOUNT_BANDS,
	FILTER_STATUSES,
	FLAGS,
	formatSearch,
	isByAmount,
	ORDERS,
	PAYMENTS,
} from "../../domain/fund-requests/search.ts";
import { QUESTION_FILTERS } from "../../domain/messages/rules.ts";
import { toOptions } from "../../ui/forms/options.ts";
import { PlainField, PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Icon } from "../../ui/icons.tsx";
import { PeriodLinks } from "../../ui/period-links.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import {
	bandLabels,
	FLAG_LABELS,
	ORDER_LABELS,
	PAYMENT_LABELS,
	QUESTION_FILTER_LABELS,
} from "./filter-labels.ts";
import type { FundRequestsData } from "./view.server.ts";

const ALL = ["all", "All"] as const;
const columns =
	"grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(7rem,40%)),1fr))] gap-x-3 gap-y-4 sm:gap-x-4";

/** The active filters, except a tab's; each links to the list without it. */
function Chips({ data }: { data: FundRequestsData }) {
	const chips = data.chips.filter(({ name }) => data.desk || name !== "status");
	if (chips.length === 0) return null;
	return (
		<nav aria-label="Active filters">
			<ul className="flex flex-wrap items-center gap-2">
				{chips.map(({ name, label, url }) => (
					<li key={name} className="min-w-0">
						<a
							href={url}
							className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-accent bg-accent-soft px-3 text-sm font-semibold wrap-anywhere text-accent no-underline"
						>
							{label}
							<span className="sr-only">: remove this filter</span>
							<Icon name="close" className="size-4" />
						</a>
					</li>
				))}
				{chips.length > 1 ? (
					<li>
						<a
							href="/fund-requests"
							className="inline-flex min-h-11 items-center px-2 text-sm font-semibold text-accent"
						>
							Clear all
						</a>
					</li>
				) : null}
			</ul>
		</nav>
	);
}

/** The rarer filters, collapsed until one of them is on. */
function MoreFilters({ data: { filters, order, today, choice } }: { data: FundRequestsData }) {
	const { driver, startDate, endDate, question, flag, payment } = filters;
	const isOn = [driver, startDate, endDate, question, flag, payment].some(Boolean);
	return (
		<details open={isOn || choice.isOpen} className="open:w-full">
			<summary className="min-h-11 content-center font-semibold text-accent">More filters</summary>
			<div className={`${columns} pt-2 lg:grid-cols-4`}>
				<PersonChoice
					name="driver"
					label="Driver"
					choice={choice}
					nobody={{ value: "all", label: "All drivers" }}
					meanwhile="The list isn't filtered by driver yet."
				/>
				{(
					[
						["startDate", "Requested from", startDate],
						["endDate", "Requested to", endDate],
					] as const
				).map(([name, label, value]) => (
					<PlainField key={name} id={name} label={label}>
						{(control) => (
							<Input {...control} type="date" name={name} max={today} defaultValue={value} />
						)}
					</PlainField>
				))}
				<PlainSelect
					name="question"
					label="Question"
					chosen={question ?? "all"}
					options={[ALL, ...toOptions(QUESTION_FILTERS, QUESTION_FILTER_LABELS)]}
				/>
				<PlainSelect
					name="flag"
					label="Flag"
					chosen={flag ?? "all"}
					options={[ALL, ...toOptions(FLAGS, FLAG_LABELS)]}
				/>
				<PlainSelect
					name="payment"
					label="Payment"
					chosen={payment ?? "all"}
					options={[ALL, ...toOptions(PAYMENTS, PAYMENT_LABELS)]}
				/>
			</div>
			<PeriodLinks
				today={today}
				href={({ from, to }) => {
					const dated = { ...filters, startDate: from, endDate: to };
					return `/fund-requests${formatSearch({ filters: dated, order, position: undefined })}`;
				}}
			/>
		</details>
	);
}

export function Filters({ data }: { data: FundRequestsData }) {
	const { filters, order, exportQuery, isSortableByAmount } = data;
	const orders = ORDERS.filter((each) => isSortableByAmount || !isByAmount(each));
	return (
		<Card className="grid gap-3 sm:p-4 print:hidden">
			<form
				method="get"
				action="/fund-requests"
				className="flex flex-wrap items-end gap-3 sm:gap-x-4"
			>
				<div className={`${columns} grow basis-full md:grid-cols-4 xl:basis-[38rem]`}>
					<PlainSelect
						name="status"
						label="Status"
						chosen={filters.status ?? "all"}
						options={[ALL, ...toOptions(FILTER_STATUSES, STATUS_LABELS)]}
					/>
					<PlainSelect
						name="type"
						label="Type"
						chosen={filters.type ?? "all"}
						options={[ALL, ...toOptions(REQUEST_TYPES, SHORT_TYPE_LABELS)]}
					/>
					<PlainSelect
						name="amount"
						label="Amount Range"
						chosen={filters.amount ?? "all"}
						options={[ALL, ...toOptions(AMOUNT_BANDS, bandLabels())]}
					/>
					<PlainSelect
						name="order"
						label="Order"
						chosen={order}
						options={toOptions(orders, ORDER_LABELS)}
					/>
				</div>
				<MoreFilters data={data} />
				<span className="ms-auto flex flex-wrap justify-end gap-2 sm:gap-3">
					<ButtonLink
						variant="outline"
						className="px-3 sm:px-4"
						href={`/fund-requests/export.csv${exportQuery}`}
					>
						Export
					</ButtonLink>
					<Button variant="outline" className="px-3 sm:px-4">
						Apply
					</Button>
				</span>
			</form>
			<Chips data={data} />
		</Card>
	);
}
