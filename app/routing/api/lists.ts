/** The parameters of the API's lists besides `limit` and `cursor`. */

type ListParameters = {
	/** What selects its rows, to which its cursors are bound. */
	readonly filters: readonly string[];
	/** Whether it takes `updatedSince`. */
	readonly hasChanges?: true;
};

const DATES = ["startDate", "endDate"] as const;

export const LISTS = {
	"/api/mileage": { filters: DATES, hasChanges: true },
	"/api/fund-requests": { filters: [], hasChanges: true },
	"/api/uber-fees": { filters: [], hasChanges: true },
	"/api/payouts": {
		filters: ["driverId", "paidFrom", "paidTo", "status", "reference"],
		hasChanges: true,
	},
	"/api/agreements": { filters: ["driverId"] },
	"/api/charges": { filters: ["driverId"] },
	"/api/settlements": { filters: ["week", "driverId", "status"], hasChanges: true },
	"/api/drivers": { filters: [], hasChanges: true },
	"/api/drivers/all": { filters: [], hasChanges: true },
	"/api/drivers/pending": { filters: [], hasChanges: true },
	"/api/analytics/driver-efficiency": { filters: DATES },
} as const satisfies Readonly<Record<string, ListParameters>>;

/** A list's parameters by its path. */
export const listOf = (path: string): ListParameters | undefined =>
	Object.hasOwn(LISTS, path) ? LISTS[path as keyof typeof LISTS] : undefined;
