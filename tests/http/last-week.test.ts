/** The links that set both dates of a filter. */
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");

it.each([
	["/mileage-reports", "range=custom", "startDate", "endDate"],
	["/fund-requests", "type=gas", "startDate", "endDate"],
	["/payouts", "status=paid", "paidFrom", "paidTo"],
])(
	"%s offers last week and last month, and keeps its other filters",
	async (path, filter, from, to) => {
		const today = daysAgo(0);
		const { text } = await ada.get(`${path}?driver=${idOf("dana")}&${filter}`);
		const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
		const firstOfMonth = new Date(`${today.slice(0, 8)}01T00:00:00Z`);
		const lastOfMonth = new Date(firstOfMonth.getTime() - 86_400_000).toISOString().slice(0, 10);
		const expected = {
			"Last week": [daysAgo(weekday + 7), daysAgo(weekday + 1)],
			"Last month": [`${lastOfMonth.slice(0, 8)}01`, lastOfMonth],
		};
		for (const [label, dates] of Object.entries(expected)) {
			const href = new RegExp(`href="([^"]+)"[^>]*>${label}</a>`).exec(text)?.[1] ?? "";
			const query = new URLSearchParams(href.replaceAll("&amp;", "&").split("?")[1]);
			expect([query.get(from), query.get(to)], label).toEqual(dates);
			expect([query.get("driver"), query.toString()], label).toEqual([
				idOf("dana"),
				expect.stringContaining(filter),
			]);
			expect((await ada.get(href.replaceAll("&amp;", "&"))).status).toBe(200);
		}
	},
);
