/** Driver Management (docs/product.md §2): a page of each list of people. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { selectBounces } from "../../domain/mail/bounces.server.ts";
import { selectPayoutTotals } from "../../domain/payouts/queries.server.ts";
import { describeOwed } from "../../domain/payouts/rules.ts";
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
import { driversUrl, parseSearch, withoutDialog } from "../../domain/people/search.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { toPerson } from "./people.ts";

/** Everything the screen shows, in one trip to the database. */
export async function driversView(args: LoaderFunctionArgs) {
	const address = parseSearch(new URL(args.request.url).searchParams);
	const { reader, ...read } = await requireReader(args, ({ build }) => ({
		pendingCount: countApplications({}),
		pending: listPendingDrivers(build, MAX_PENDING),
		namesakes: selectNamesakesOfApplicants(build, MAX_PENDING),
		// One extra row shows whether there is a next page.
		active: listApprovedDrivers(build, true, DRIVERS_PAGE_SIZE + 1, address.active),
		inactive: listApprovedDrivers(build, false, DRIVERS_PAGE_SIZE + 1, address.inactive),
		rejected: listRejectedDrivers({}),
		administrators: listOffice({}),
		asked: address.id ? findPerson(build, address.id) : undefined,
		owed: address.dialog === "delete" ? selectPayoutTotals(build, address.id ?? "") : undefined,
		bounces: selectBounces({}),
	}));
	const bounces = new Map(read.bounces.map(({ address, reason }) => [address, reason]));
	const show = (rows: readonly ListedPerson[]) =>
		rows.map((user) => toPerson(user, reader.timeZone, reader.now, bounces));
	const lists = withoutDialog(address);
	const page = (rows: readonly ListedPerson[], list: "active" | "inactive") => {
		const found = toPage(rows, lists[list], DRIVERS_PAGE_SIZE, ({ id }) => id);
		return {
			people: show(found.rows),
			pages: pageLinks(lists[list], found, (at) => driversUrl({ ...lists, [list]: at })),
		};
	};
	return {
		viewer: toViewer(reader),
		me: reader.user.id,
		address,
		pendingCount: read.pendingCount[0]?.count ?? 0,
		pending: show(read.pending).map((person) => ({
			...person,
			namesake: read.namesakes.find(({ applicantId }) => applicantId === person.id)?.id,
		})),
		active: page(read.active, "active"),
		inactive: page(read.inactive, "inactive"),
		rejected: show(read.rejected),
		administrators: show(read.administrators),
		asked: show(read.asked)[0],
		/** What the driver that is to be deleted is owed. */
		owed: describeOwed(read.owed[0]),
		key: crypto.randomUUID(),
	};
}

export type DriversData = Awaited<ReturnType<typeof driversView>>;
