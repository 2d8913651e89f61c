/** Driver Management (docs/product.md §2): a page of each list of people. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { selectPayoutTotals } from "../../domain/payouts/queries.server.ts";
import { describeOwed } from "../../domain/payouts/rules.ts";
import { MAX_FOUND } from "../../domain/people/choice.ts";
import { findPeople, listOf } from "../../domain/people/found.server.ts";
import {
	countApplications,
	findPerson,
	type ListedPerson,
	listApprovedDrivers,
	listOffice,
	listPendingDrivers,
	listRejectedDrivers,
	selectNamesakesOfApplicants,
} from "../../domain/people/queries.server.ts";
import { DRIVERS_PAGE_SIZE, MAX_PENDING } from "../../domain/people/rules.ts";
import {
	driversUrl,
	PEOPLE_LISTS,
	type PeopleList,
	parseSearch,
	withoutDialog,
} from "../../domain/people/search.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { toPerson } from "./people.ts";

type Row = ListedPerson & { readonly bounce: string | null };

/** Everything the screen shows, in one trip to the database. */
export async function driversView(args: LoaderFunctionArgs) {
	const address = parseSearch(new URL(args.request.url).searchParams);
	const { search } = address;
	/** Whether a list is read as a whole. */
	const isListed = (list: PeopleList) =>
		search === undefined && (address.show === undefined || address.show === list);
	const { reader, ...read } = await requireReader(args, ({ build }) => ({
		found: search === undefined ? undefined : findPeople(build, search, address.show),
		pendingCount: countApplications({}),
		pending: isListed("pending") ? listPendingDrivers(build, MAX_PENDING) : undefined,
		namesakes: isListed("pending") ? selectNamesakesOfApplicants(build, MAX_PENDING) : undefined,
		// One extra row shows whether there is a next page.
		active: isListed("active")
			? listApprovedDrivers(build, true, DRIVERS_PAGE_SIZE + 1, address.active)
			: undefined,
		inactive: isListed("inactive")
			? listApprovedDrivers(build, false, DRIVERS_PAGE_SIZE + 1, address.inactive)
			: undefined,
		rejected: isListed("rejected") ? listRejectedDrivers({}) : undefined,
		administrators: isListed("administrators") ? listOffice({}) : undefined,
		asked: address.id ? findPerson(build, address.id) : undefined,
		owed: address.dialog === "delete" ? selectPayoutTotals(build, address.id ?? "") : undefined,
	}));
	const show = (rows: readonly Row[]) =>
		rows.map((user) => toPerson(user, reader.timeZone, reader.now, user.bounce));
	const namesakes = new Map<string, string | null>([
		...read.namesakes.map(({ applicantId, id }) => [applicantId, id] as const),
		...read.found.map(({ id, namesake }) => [id, namesake] as const),
	]);
	const lists = withoutDialog(address);
	const found = read.found.slice(0, MAX_FOUND);
	/** A list, or its part that is found. */
	const rowsOf = (list: PeopleList): readonly Row[] =>
		search === undefined
			? read[list]
			: found.filter((user) => listOf(user) === list && (address.show ?? list) === list);
	/** Whether it is shown even if nobody is in it, or on its page. */
	const isKept = (list: PeopleList) =>
		list === "inactive" ? lists.inactive !== undefined : list !== "rejected";
	const page = (list: "active" | "inactive") => {
		const position = search === undefined ? lists[list] : undefined;
		const part = toPage(rowsOf(list), position, DRIVERS_PAGE_SIZE, ({ id }) => id);
		return {
			people: show(part.rows),
			pages: pageLinks(position, part, (at) => driversUrl({ ...lists, [list]: at })),
		};
	};
	const pendingCount = read.pendingCount[0]?.count ?? 0;
	return {
		viewer: toViewer(reader),
		me: reader.user.id,
		address,
		shown: PEOPLE_LISTS.filter(
			(list) =>
				rowsOf(list).length > 0 || (isListed(list) && (address.show === list || isKept(list))),
		),
		hasMore: read.found.length > MAX_FOUND,
		pendingCount,
		pending: show(rowsOf("pending")).map((person) => ({
			...person,
			namesake: namesakes.get(person.id) ?? undefined,
		})),
		active: page("active"),
		inactive: page("inactive"),
		rejected: show(rowsOf("rejected")),
		administrators: show(rowsOf("administrators")),
		asked: show(read.asked)[0],
		/** What the driver to be deleted is owed. */
		owed: describeOwed(read.owed[0]),
		key: crypto.randomUUID(),
	};
}

export type DriversData = Awaited<ReturnType<typeof driversView>>;
