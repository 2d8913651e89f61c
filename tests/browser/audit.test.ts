/**
 * The audit in a browser: its filters and pages, compared with the rows, and the links of its
 * entries. With and without JavaScript.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { KINDS } from "../../app/domain/kernel/audit-kinds.ts";
import { CAST, idOf, ZONE } from "../support/cast.ts";
import { scripts } from "../support/extent.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { dayOf, daysAgo, describeDate, midnight } from "../support/fleet-days.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { openStage, signIn, turnPage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);

type Entry = {
	at: number;
	actor_id: string;
	action: string;
	entity?: string;
	entity_id?: string;
	before?: object;
	after?: object;
};
const writeEntries = (entries: readonly Entry[]) =>
	sql(
		`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id, before, after)
			select value ->> 'at', value ->> 'actor_id', 'admin', value ->> 'action', value ->> 'entity', value ->> 'entity_id', value -> 'before', value -> 'after'
			from json_each(?)`,
		JSON.stringify(entries.map((entry) => ({ entity: "user", entity_id: idOf("dana"), ...entry }))),
	);

beforeAll(async () => {
	await insertFee(sql, 1, "omar", daysAgo(1));
	await insertRequest(sql, 12, "dana", {
		status: "approved",
		decided_at: 1,
		decided_by: idOf("ada"),
	});
	const edges = [
		midnight(daysAgo(9)) - 1,
		midnight(daysAgo(9)),
		midnight(daysAgo(4)) - 1,
		midnight(daysAgo(4)),
	];
	const spread = (count: number, first: number) =>
		Array.from(
			{ length: count },
			(_, each) => midnight(daysAgo(first + (each % 7))) + each * 60_000,
		);
	const fee = { entity: "uber-fee", entity_id: feeId(1) };
	await writeEntries([
		...edges.map((at) => ({ at, actor_id: idOf("ada"), action: "fee.add", ...fee })),
		...spread(40, 3).map((at) => ({ at, actor_id: idOf("ada"), action: "fee.delete", ...fee })),
		...spread(70, 12).map((at) => ({ at, actor_id: idOf("ben"), action: "user.activate" })),
		{ at: midnight(daysAgo(30)), actor_id: idOf("ben"), action: "driver.approve" },
		// About Ben's account, so it is found together with Ben's own actions.
		{
			at: midnight(daysAgo(14)) + 1,
			actor_id: idOf("ada"),
			action: "user.change-role",
			entity_id: idOf("ben"),
		},
		{
			at: midnight(daysAgo(2)),
			actor_id: idOf("ada"),
			action: "request.approve",
			entity: "fund-request",
			entity_id: requestId(12),
			before: { status: "pending" },
			after: { status: "approved" },
		},
	]);
});

describe.each(scripts("without JavaScript"))("%s", (_, javaScript) => {
	it("finds who did what and when in the audit, and opens what an entry is about", async () => {
		const page = await stage.visit({ javaScript, phone: false });
		await signIn(page, "admin@milepost.test");
		await page
			.getByRole("navigation", { name: "Main" })
			.getByRole("link", { name: "Audit" })
			.click();
		await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
		const rows = await stage.fleet.sql<Entry & { id: number }>(
			"select * from audit_events order by at desc, id desc",
		);
		const clock = new Intl.DateTimeFormat("en-US", {
			timeZone: ZONE,
			hour: "numeric",
			minute: "2-digit",
		});
		/** The beginning of each entry by its row: when, who and what. */
		const told = new Map(
			rows.map(({ id, at, actor_id, action }) => {
				const { firstName, lastName } = actor_id === idOf("ben") ? CAST.ben : CAST.ada;
				const when = `${describeDate(dayOf(at))} at ${clock.format(at).replace("\u202f", " ")}`;
				return [`entry-${id}`, `${when}|${firstName} ${lastName} ${KINDS[action]?.verb}`];
			}),
		);
		const shown = () =>
			page.locator("tbody tr").evaluateAll((list) =>
				list.map(({ id, children: [when, what] }) => ({
					id,
					text: `${when?.textContent}|${what?.textContent}`,
				})),
			);
		const holds = async (wanted: typeof rows, where: string) => {
			const pages = [await shown()];
			while (await turnPage(page, "Next page")) pages.push(await shown());
			const all = pages.flat();
			expect(
				all.map(({ id }) => id),
				where,
			).toEqual(wanted.map(({ id }) => `entry-${id}`));
			for (const { id, text } of all)
				expect(text.slice(0, told.get(id)?.length)).toBe(told.get(id));
			for (const { length } of pages.slice(0, -1)) expect(length, where).toBe(20);
			expect(pages.length, where).toBe(Math.max(1, Math.ceil(wanted.length / 20)));
			return pages.length;
		};
		expect(await holds(rows, "everything")).toBeGreaterThan(5);

		const ask = async (person: "all" | "ada" | "ben", kind: string, from = "", to = "") => {
			const id = person === "all" ? "all" : idOf(person);
			await page.getByLabel("Person").selectOption(id);
			await page
				.getByLabel("Event", { exact: true })
				.selectOption({ label: KINDS[kind]?.label ?? "All events" });
			await page.getByLabel("From").fill(from);
			await page.getByLabel("To", { exact: true }).fill(to);
			await page.getByRole("button", { name: "Apply" }).click();
			await page.waitForURL(
				`${stage.fleet.origin}/audit?person=${id}&kind=${kind}&startDate=${from}&endDate=${to}`,
			);
		};
		const [from, to] = [daysAgo(9), daysAgo(5)];
		for (const [person, kind, first, last] of [
			["all", "fee.delete", "", ""],
			["ben", "all", "", ""],
			["all", "all", from, to],
			["all", "fee.add", from, to],
			["ada", "fee.delete", from, ""],
			["ada", "request.approve", "", to],
		] as const) {
			await ask(person, kind, first, last);
			const wanted = rows.filter(
				({ at, actor_id, action, entity, entity_id }) =>
					(person === "all" ||
						actor_id === idOf(person) ||
						(entity === "user" && entity_id === idOf(person))) &&
					(kind === "all" || action === kind) &&
					(!first || dayOf(at) >= first) &&
					(!last || dayOf(at) <= last),
			);
			await holds(wanted, [person, kind, first, last].join(" "));
			if (wanted.length === 0) await page.getByText("No entries found", { exact: true }).waitFor();
		}

		// Reversed dates are pointed out and kept.
		await ask("all", "fee.add", to, from);
		await page
			.getByText("The start date is after the end date. The date filter wasn't applied.")
			.waitFor();
		await expect.poll(() => page.getByLabel("From").inputValue()).toBe(to);
		await holds(
			rows.filter(({ action }) => action === "fee.add"),
			"backwards",
		);
		// An entry behind many others of the person is found by searching further back.
		await ask("ben", "driver.approve");
		await page.getByText("No matching entries in this person's latest activity").waitFor();
		await turnPage(page, "Search further back");
		await page.getByText("Ben Backup approved Dana Driver (DRV-0001) as a driver").waitFor();

		await page
			.getByRole("row")
			.filter({ hasText: "as a driver" })
			.getByRole("link", { name: "Dana Driver" })
			.click();
		await page.waitForURL(`${stage.fleet.origin}/drivers/${idOf("dana")}`);
		await page.getByText(CAST.dana.email).waitFor();
		await page.goto("/audit?kind=request.approve");
		const entry = page
			.getByRole("row")
			.filter({ hasText: "Ada Admin approved FR-000012 for Dana Driver (DRV-0001)" });
		await entry.getByText("Status: Pending → Approved").waitFor();
		await entry.getByRole("link", { name: "FR-000012" }).click();
		await page.waitForURL(`${stage.fleet.origin}/fund-requests?open=FR-000012`);
	});
});
