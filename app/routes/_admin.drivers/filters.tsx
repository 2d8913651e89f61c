/** The search for a person, and the choice of a list, as a plain GET form. */
import {
	type DriverSearch,
	driversUrl,
	PEOPLE_LISTS,
	type PeopleList,
} from "../../domain/people/search.ts";
import { toOptions } from "../../ui/forms/options.ts";
import { PlainField, PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Input } from "../../ui/primitives/input.tsx";

/** The headings of the lists. */
export const LIST_TITLES: Readonly<Record<PeopleList, string>> = {
	pending: "Pending Approvals",
	active: "Active Drivers",
	inactive: "Inactive Drivers",
	rejected: "Rejected",
	administrators: "Administrators",
};

/** Their names in the filter, which has all of them even where some are empty and not shown. */
const LIST_NAMES: Readonly<Record<PeopleList, string>> = {
	pending: "Pending",
	active: "Active",
	inactive: "Inactive",
	rejected: "Rejected",
	administrators: "Administrators",
};

export function Filters({ address: { search, show } }: { address: DriverSearch }) {
	return (
		<Card className="print:hidden">
			<form
				method="get"
				action={driversUrl({})}
				className="grid grid-cols-[minmax(0,1fr)_auto] gap-3 md:flex md:gap-4"
			>
				<div className="max-md:col-span-2 md:flex-[3]">
					<PlainField id="search" label="Search" hint="Search by name, driver ID or email.">
						{(control) => (
							<Input
								{...control}
								type="search"
								name="search"
								autoComplete="off"
								autoCapitalize="none"
								spellCheck={false}
								maxLength={40}
								defaultValue={search}
							/>
						)}
					</PlainField>
				</div>
				<div className="min-w-0 md:flex-[2]">
					<PlainSelect
						name="show"
						label="Show"
						chosen={show ?? "all"}
						options={[["all", "All people"], ...toOptions(PEOPLE_LISTS, LIST_NAMES)]}
					/>
				</div>
				{/* Level with the fields, whose labels are above; on a phone below them. */}
				{search || show ? (
					<div className="max-md:order-last max-md:col-span-2 md:mt-7">
						<ButtonLink variant="outline" href={driversUrl({})}>
							Clear filters
						</ButtonLink>
					</div>
				) : null}
				<div className="mt-7">
					<Button variant="outline">Apply</Button>
				</div>
			</form>
		</Card>
	);
}
