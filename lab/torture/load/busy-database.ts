/** A database that accepts only so much at once and refuses the rest, as an overloaded D1 does. */

/** How many batches may be running or waiting. */
const QUEUE = 4;

/** Replaces the Worker's D1 binding. */
export const BUSY_D1 = `let waiting = 0;
export default function ({ INNER }) {
	return {
		prepare: (sql) => ({ bind: (...values) => INNER.prepare(sql).bind(...values) }),
		async batch(list) {
			if (waiting >= ${QUEUE})
				throw new Error("D1_ERROR: D1 DB is overloaded. Too many requests queued.");
			waiting += 1;
			try {
				return await INNER.batch(list);
			} finally {
				waiting -= 1;
			}
		},
	};
}`;
