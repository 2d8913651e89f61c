/** The summary of a driver's year, calculated without any of the application's code. */

/** A database row. */
export type Row = Record<string, number | string | null>;
/** A driver's rows of a year. */
export type Book = Record<"trips" | "voided" | "requests" | "fees", readonly Row[]>;

/** A column's sum. */
export const total = (rows: readonly Row[], name: string) =>
	rows.reduce((sum, row) => sum + Number(row[name]), 0);

/** All, personal and business miles. */
const milesOf = (rows: readonly Row[]) => {
	const [all, personal] = [total(rows, "miles"), total(rows, "personal_miles")];
	return [all, personal, all - personal];
};

/**
 * What the summary must contain, section by section.
 * @param lastMonth the last month shown, 1 to 12
 */
export function expectedSummary(lastMonth: number, { trips, voided, requests, fees }: Book) {
	const months = Array.from({ length: lastMonth }, (_, each) => {
		const month = String(each + 1).padStart(2, "0");
		const own = trips.filter(({ driven_on }) => String(driven_on).slice(5, 7) === month);
		const name = new Date(Date.UTC(2000, each)).toLocaleDateString("en-US", {
			timeZone: "UTC",
			month: "long",
		});
		return [name, own.length, ...milesOf(own)];
	});
	const asked = requests.filter(({ status }) => status !== "withdrawn");
	const approved = requests.filter(({ status }) => status === "approved");
	const paid = requests.filter(({ payout_status }) => payout_status === "paid");
	const gone = requests.filter(({ status }) => status === "withdrawn");
	const byType = (rows: readonly Row[], type: string) => rows.filter((row) => row.type === type);
	return [
		{
			title: "Mileage",
			kinds: ["t", "n", "n", "n", "n"] as const,
			rows: [...months, ["Total", trips.length, ...milesOf(trips)]],
		},
		{
			title: "Fund Requests",
			kinds: ["t", "n", "c", "c", "c"] as const,
			rows: [
				...[
					["Gas/Fuel", "gas"],
					["Vehicle Maintenance", "maintenance"],
					["Other", "other"],
				].map(([label = "", type = ""]) => [
					label,
					byType(asked, type).length,
					total(byType(asked, type), "amount_cents"),
					total(byType(approved, type), "amount_cents"),
					total(byType(paid, type), "amount_cents"),
				]),
				[
					"Total",
					asked.length,
					total(asked, "amount_cents"),
					total(approved, "amount_cents"),
					total(paid, "amount_cents"),
				],
			],
		},
		{
			title: "Uber Fees",
			kinds: ["t", "n", "c"] as const,
			rows: [
				...[
					["Commission", "commission"],
					["Service fee", "service_fee"],
					["Booking fee", "booking_fee"],
					["Other", "other"],
				].map(([label = "", category]) => {
					const own = fees.filter((fee) => fee.category === category);
					return [label, own.length, total(own, "amount_cents")];
				}),
				["Total", fees.length, total(fees, "amount_cents")],
			],
		},
		{
			title: "Voided and Withdrawn",
			kinds: ["t", "n", "n", "c"] as const,
			rows: [
				["Voided trips", voided.length, total(voided, "miles"), null],
				["Withdrawn requests", gone.length, null, total(gone, "amount_cents")],
			],
		},
	].map(({ kinds, ...section }) => ({ ...section, kinds: [...kinds] }));
}
