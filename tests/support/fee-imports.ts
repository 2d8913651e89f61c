/** Importing fees from a statement on the administrators' screen. */
import { daysAgo } from "./fleet-days.ts";
import { formWith, multipart } from "./forms.ts";
import { blocksOf, countedRows, storedBlocks } from "./totals.ts";
import type { Answer, Client, Fleet } from "./worker.ts";

const today = daysAgo(0);
const PATH = "/uber-fees/import";

/** More than a year ago, in books that are still open. */
export const LAST_YEAR = daysAgo(386);
/** A date as Americans type it: `2/29/2028`. */
export const typed = (day: string): string => {
	const [year, month, date] = day.split("-").map(Number);
	return `${month}/${date}/${year}`;
};

export const STATEMENT = [
	"Trip ID,Driver,Fee Type,Amount,Trip Date,Notes",
	`UB-1,DRV-0001,Commission,12.50,${today},"Airport, ""express"""`,
	`UB-2,omar@milepost.test,service_fee,"1234,5",${today},`,
	`UB-3,Łena Nguyễn,Booking Fee,3,${typed(LAST_YEAR)},Late`,
].join("\r\n");

/** The fields of a previewed statement's form, sent with its Import button or another one. */
export const importForm = (
	answer: Answer,
	intent = "import-statement",
): Record<string, string> => ({
	...formWith(answer.text, "import?statement=").fields,
	intent,
});
/** Whether the preview has an Import button. */
export const canImport = ({ text }: Answer) => text.includes('value="import-statement"');

/** @param ada the administrator who imports by default */
export function feeImporter(fleet: Fleet, ada: Client) {
	/** Uploads a file and follows to its preview, if there is one. */
	async function upload(
		text: string | Uint8Array,
		client: Client = ada,
		name = "november.csv",
	): Promise<Answer> {
		const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
		const answer = await client.request(
			PATH,
			await multipart({ intent: "upload" }, { bytes, name, type: "text/csv" }, "file"),
		);
		return answer.status === 303 ? client.get(answer.headers.get("Location") ?? "") : answer;
	}
	/** Posts the preview's form. */
	const send = (fields: Record<string, string>, client: Client = ada) =>
		client.post(`${PATH}?statement=${fields.id}`, fields);
	const fees = () =>
		fleet.sql<{
			driver_id: string;
			category: string;
			amount_cents: number;
			charged_on: string;
			reference_number: string;
			description: string;
		}>(
			"select driver_id, category, amount_cents, charged_on, reference_number, description from uber_fees where deleted_at is null order by reference_number, category desc",
		);
	const rowsOf = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
	const totals = () => storedBlocks(rowsOf);
	const recounted = async () => blocksOf(await countedRows(rowsOf));

	/** Deletes all fees and imports. */
	async function clear(): Promise<void> {
		await fleet.sql("update uber_fees set replaces_id = null where replaces_id is not null");
		await fleet.sql("delete from statement_lines");
		await fleet.sql("delete from statement_money");
		await fleet.sql("delete from uber_fees");
		await fleet.sql("delete from fee_imports");
	}
	return { upload, send, fees, totals, recounted, rowsOf, clear };
}
