/** A database that does so much at once and refuses the rest, as D1 does when it is overloaded. */

/** Batches that D1 works on or keeps waiting. */
const QUEUE = 4;

/** What stands between the Worker and D1. */
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
