/** Fund requests and receipts as a driver's browser sends them, and as they are stored. */
import { expect } from "vitest";
import { formWith, multipart, type SentFile } from "./forms.ts";
import { receiptCorpus } from "./receipt-corpus.ts";
import type { Answer, Client, Fleet } from "./worker.ts";

const corpus = receiptCorpus();
const named = (mediaType: string, name: string): SentFile => {
	const found = corpus.find(
		({ expected }) =>
			typeof expected !== "string" && expected.mediaType === mediaType && !expected.isNotShown,
	);
	return { bytes: found?.bytes ?? expect.unreachable(mediaType), name };
};

export const JPEG = named("image/jpeg", "pump.jpg");
export const PNG = named("image/png", "wash.png");
export const PDF = named("application/pdf", "invoice.pdf");
/** A scriptable file with an allowed name. */
export const SVG = {
	bytes: new TextEncoder().encode(
		'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
	),
	name: "receipt.png",
	type: "image/png",
};
/**
 * A padded photo.
 * @param size in bytes
 */
export const large = (size: number): SentFile => {
	const bytes = new Uint8Array(size);
	bytes.set(JPEG.bytes);
	return { bytes, name: "huge.jpg", type: "image/jpeg" };
};

let counted = 0;
/** A unique description, because duplicates would need confirmation. */
export const uniqueText = (words: string) => `${words} ${++counted}`;

/** The form as rendered, with some fields changed; its description is unique unless given. */
export async function fill(client: Client, typed: Record<string, string> = {}, path = "/requests") {
	const { fields } = formWith((await client.get(path)).text, "Submit Request");
	const filled: Record<string, string> = {
		...fields,
		type: "gas",
		amount: "45.50",
		description: uniqueText("Fuel"),
		...typed,
	};
	return filled;
}
/** Sends the form as a browser does, with a file or an empty one. */
export const send = async (
	client: Client,
	fields: Record<string, string>,
	file?: SentFile,
	mayFail = false,
) => client.request("/requests", { ...(await multipart(fields, file)), mayFail });
/** The id of the submitted request, from the redirect. */
export const idIn = (answer: Answer) =>
	/#request-([0-9a-f-]{36})$/.exec(answer.headers.get("Location") ?? "")?.[1] ??
	expect.unreachable(answer.text.slice(0, 400));

type Row = {
	number: number;
	receipt_id: string | null;
	status: string;
	amount_cents: number;
	type: string;
	description: string;
};
/** A request's stored row. */
export const readStoredRequest = async (fleet: Fleet, id: string) =>
	(await fleet.sql<Row>("select * from fund_requests where id = ?", id))[0] ??
	expect.unreachable(id);
/** The numbers of stored requests and receipts. */
export const countStored = (fleet: Fleet) =>
	fleet.sql(
		"select (select count(*) from fund_requests) as requests, (select count(*) from receipts) as receipts",
	);
/** The HTML of a request in the list. */
export const shownRow = (text: string, id: string) =>
	new RegExp(`<li id="request-${id}"[\\s\\S]*?</li>`).exec(text)?.[0] ?? expect.unreachable(id);
