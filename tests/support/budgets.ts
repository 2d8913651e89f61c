/**
 * What pages, changes and the schedule may cost: the limits that tests assert, which are exact on any
 * machine. docs/performance.md says how to stay within them, and `npm run bench` measures speeds.
 */

/** Bytes as a browser fetches them, gzipped at level 9. */
export const BYTES = {
	/** HTML and CSS of a driver's page. */
	driverPage: 14_336,
	/** Of an administrator's page. */
	adminPage: 20_480,
	/** JavaScript of a driver's page with everything loaded. */
	driverScripts: 25_000,
	chartScripts: 95_000,
	deskScripts: 110_000,
	/** What the Worker loads when it starts, compressed and uncompressed. */
	start: 287_000,
	startUncompressed: 960_000,
} as const;

/** Rows that D1 reads. */
export const ROWS_READ = {
	/** A screen that ranks or counts drivers, with 50, 5,000 and 50,000 of them. */
	screen: 600,
	/** A week of settlements with more to check of each kind than it names. */
	weekWithChecks: 900,
	/** A list, or a page about one driver, with any amount of history. */
	list: 300,
	/**
	 * A driver's dashboard: its two windows take at most 22 blocks on any date, and all time seven for
	 * five years.
	 */
	dashboard: 114,
	/** History with the largest year. */
	largeYear: 200,
	/** One trip of any scheduled step but the export's. */
	scheduledTrip: 10_000,
	/** A payout of 500 requests: each is read, written, and moved by triggers between totals. */
	payoutOf500: 30_000,
	payoutOfOneDriver: 500,
	decision: 150,
} as const;

/**
 * The exact rows that D1 writes with a change of each kind. Trips, requests and fees have the key
 * that a form sends; the first of a day creates blocks of totals.
 */
export const ROWS_WRITTEN = {
	"first trip": 24,
	trip: 27,
	"first request": 31,
	request: 31,
	"first approval": 41,
	approval: 40,
	"first fee": 16,
	fee: 16,
} as const;
