/** What is unpaid and in no payout: by driver, or row by row with a box to tick. */
import { DataTable, DriverCell } from "../../ui/data-table.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Button, ButtonLink, toGetForm } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { PayoutsData } from "./view.server.ts";

const OWED_COLUMNS = [
	{ head: "Driver" },
	{ head: "Requests", isNumber: true },
	{ head: "Settlements", isNumber: true },
	{ head: "Amount", isNumber: true },
	{ head: "Actions", isHidden: true, isControl: true },
];
const TICKED = "ticked";
const link = "inline-flex min-h-11 items-center px-2 font-semibold text-accent";

type Props = { data: PayoutsData };

/**
 * Makes a payout of everything, or one driver's requests.
 * @param cents the sum beside the button; undefined if one payout can't take everything
 */
function CreatePayout({
	data,
	driverId,
	cents,
	variant,
	children,
}: Props & {
	driverId?: string;
	cents: number | undefined;
	variant: "default" | "outline";
	children: React.ReactNode;
}) {
	return (
		<form method="post" action="/payouts">
			<input type="hidden" name="gather" value={driverId ? "driver" : "all"} />
			{driverId ? <input type="hidden" name="driverId" value={driverId} /> : null}
			{cents === undefined ? null : <input type="hidden" name="shownCents" value={cents} />}
			<input type="hidden" name="key" value={`${data.key}${driverId ?? ""}`} />
			<Button variant={variant} pending="Creating...">
				{children}
			</Button>
		</form>
	);
}

/** By driver, largest sum first. */
export function Owed({ data }: Props) {
	const mayPay = useMay()("POST", "/payouts");
	const { fleet, owed } = data;
	const hasSettlements = owed.some(({ settlements }) => settlements > 0);
	return (
		<Section
			id="unpaid"
			title="Approved and unpaid"
			actions={
				fleet.readyCount > 0 && mayPay ? (
					<div className="flex flex-wrap items-center gap-2 *:max-sm:grow [&_button]:max-sm:w-full">
						<ButtonLink
							variant="outline"
							href="/payouts?choose=all#unpaid"
							className="print:hidden"
						>
							{fleet.hasSettlements ? "Choose" : "Choose requests"}
						</ButtonLink>
						<CreatePayout
							data={data}
							cents={fleet.isMany ? undefined : fleet.readyCents}
							variant="default"
						>
							{fleet.isMany ? "Create payout of the oldest 500" : `Create payout of ${fleet.ready}`}
						</CreatePayout>
					</div>
				) : null
			}
		>
			{owed.length > 0 ? (
				<DataTable
					caption="Approved and unpaid, by driver"
					columns={OWED_COLUMNS.filter(
						({ head, isControl }) =>
							(!isControl || mayPay) && (hasSettlements || head !== "Settlements"),
					)}
					phone="pairs"
					isDense
				>
					{owed.map((row) => (
						<tr key={row.id} id={`driver-${row.id}`}>
							<DriverCell id={row.id} code={row.code} name={row.name} />
							<TableCell label="Requests" isNumber className="tabular-nums">
								{row.requests}
							</TableCell>
							{hasSettlements ? (
								<TableCell label="Settlements" isNumber className="tabular-nums">
									{row.settlements}
								</TableCell>
							) : null}
							<TableCell label="Amount" isNumber className="font-semibold tabular-nums">
								{row.amount}
							</TableCell>
							{mayPay ? (
								<TableCell isControl className="sm:py-1">
									<div className="flex flex-1 flex-wrap items-center justify-end gap-1">
										<a className={link} href={`${row.chooseUrl}#unpaid`}>
											Choose
											<span className="sr-only">{` ${row.settlements > 0 ? "what to pay" : "requests"} of ${row.name}`}</span>
										</a>
										<CreatePayout
											data={data}
											driverId={row.id}
											cents={row.isMany ? undefined : row.cents}
											variant="outline"
										>
											{row.isMany ? "Create payout of 500" : "Create payout"}
											<span className="sr-only">{` for ${row.name}, ${row.amount}`}</span>
										</CreatePayout>
									</div>
								</TableCell>
							) : null}
						</tr>
					))}
				</DataTable>
			) : (
				<Empty pages={data.owedPages}>
					Nothing is approved and unpaid.
					{mayPay ? " Approve fund requests or publish settlements first." : null}
				</Empty>
			)}
			<Pages links={data.owedPages} label="Pages of drivers" anchor="unpaid" />
		</Section>
	);
}

/** The bar over the rows: with a script its button counts and its box ticks all. */
function TickedForm({ data }: Props) {
	const other = data.isAllSelected ? data.here : `${data.here}&select=all`;
	return (
		<form
			id={TICKED}
			method="post"
			action={data.here}
			data-select-rows="Create payout"
			className="selection-bar flex flex-wrap items-center justify-between gap-x-3"
		>
			<input type="hidden" name="gather" value="requests" />
			<input type="hidden" name="key" value={data.key} />
			<SelectAll isAllSelected={data.isAllSelected} href={`${other}#unpaid`} />
			<output data-select-sum className="ms-auto font-semibold tabular-nums" />
			<Button pending="Creating...">Create payout</Button>
		</form>
	);
}

/**
 * Requests or settlements, each with a box that adds it to the payout.
 * @param heads of the number and the facts after the driver
 */
function Tickable({
	caption,
	name,
	heads: [first, ...heads],
	rows,
}: {
	caption: string;
	name: "ids" | "settlementIds";
	heads: readonly [string, ...string[]];
	rows: PayoutsData["unpaid" | "unpaidWeeks"];
}) {
	return (
		<DataTable
			caption={caption}
			columns={[
				{ head: "Select", isHidden: true, isControl: true },
				{ head: first },
				{ head: "Driver" },
				...heads.map((head) => ({ head })),
				{ head: "Amount", isNumber: true },
			]}
			isDense
		>
			{rows.map((row) => (
				<tr key={row.id} id={`${name === "ids" ? "request" : "settlement"}-${row.id}`}>
					<TableCell label="Select" isControl className="max-sm:items-center sm:py-1">
						<label className="inline-grid size-11 place-items-center max-sm:-me-3">
							<span className="sr-only">{`Select ${row.number}`}</span>
							<input
								type="checkbox"
								form={TICKED}
								name={name}
								value={row.id}
								defaultChecked={row.isTicked}
								data-cents={row.cents}
								className="size-5"
							/>
						</label>
					</TableCell>
					<TableRowHead label={first} className="whitespace-nowrap">
						<a className="text-accent" href={row.href}>
							{row.number}
						</a>
					</TableRowHead>
					<DriverCell id={row.driverId} code={row.code} name={row.name} />
					{heads.map((head, at) => (
						<TableCell key={head} label={head} className="sm:whitespace-nowrap">
							{row.facts[at]}
						</TableCell>
					))}
					<TableCell label="Amount" isNumber className="tabular-nums">
						{row.amount}
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}

/** Row by row, oldest first: the requests, then the settlements. */
export function Choose({ data }: Props) {
	const { unpaid, unpaidWeeks, chosen } = data;
	const back = toGetForm("/payouts").action;
	const name = (unpaid[0] ?? unpaidWeeks[0])?.name ?? "this driver";
	const what = unpaidWeeks.length > 0 ? "requests and settlements" : "requests";
	return (
		<Section
			id="unpaid"
			title={data.choose === "all" ? `Choose ${what}` : `Choose ${name}'s ${what}`}
			actions={
				<ButtonLink variant="outline" href={`${back}#unpaid`} className="print:hidden">
					By driver
				</ButtonLink>
			}
		>
			{unpaid.length + unpaidWeeks.length > 0 ? (
				<div className="grid min-w-0">
					<TickedForm data={data} />
					{unpaid.length > 0 ? (
						<Tickable
							caption="Approved and unpaid requests"
							name="ids"
							heads={["Request ID", "Type", "Date"]}
							rows={unpaid}
						/>
					) : null}
					<Pages links={data.unpaidPages} label="Pages of requests" anchor="unpaid" />
					{unpaidWeeks.length > 0 ? (
						<div className={unpaid.length > 0 ? "pt-4" : undefined}>
							<Tickable
								caption="Published and unpaid settlements"
								name="settlementIds"
								heads={["Settlement", "Week"]}
								rows={unpaidWeeks}
							/>
						</div>
					) : null}
					<Pages links={data.unpaidWeeksPages} label="Pages of settlements" anchor="unpaid" />
					<p className="pt-3 text-end font-semibold tabular-nums">
						{`${chosen.ready} in ${chosen.readyParts}`}
					</p>
				</div>
			) : (
				<>
					<Empty pages={data.unpaidPages.first ? data.unpaidPages : data.unpaidWeeksPages}>
						Nothing is approved and unpaid here
					</Empty>
					<Pages links={data.unpaidPages} label="Pages of requests" anchor="unpaid" />
					<Pages links={data.unpaidWeeksPages} label="Pages of settlements" anchor="unpaid" />
				</>
			)}
		</Section>
	);
}
