/** A person's receipts: the stored facts about each, and the files of one part of the archive. */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { MEDIA_TYPES } from "../../db/schema.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { downloadName } from "../receipts/rules.ts";
import { code, moment, plain, rowsOf, type Section } from "./section.server.ts";

/**
 * Receipt files in one ZIP: at 8 MB each they stay below the 4 GB that every program can open, and
 * within Cloudflare's limit of fetches per request.
 */
export const FILES_PER_PART = 400;

/** The facts about every receipt, whichever part its file is in. */
export const RECEIPTS: Section = {
	name: "receipts",
	about: "Details of each receipt; the files themselves are in the receipts folder.",
	columns: {
		id: plain(sql`receipt.id`),
		requestNumber: code(requestNumber)(sql`request.number`),
		fileName: plain(sql`receipt.file_name`),
		mediaType: plain(sql`receipt.media_type`),
		bytes: plain(sql`receipt.byte_size`),
		sha256: plain(sql`receipt.sha256`),
		createdAt: moment(sql`receipt.created_at`),
	},
	parts: [
		rowsOf(
			sql`receipts as receipt
				left join fund_requests as request on request.receipt_id = receipt.id`,
			sql`receipt.owner_id`,
			sql`receipt.created_at`,
			sql`receipt.id`,
		),
	],
};

/** A receipt file: its key in the store, and its path in the archive. */
export type ReceiptFile = {
	readonly id: string;
	readonly objectKey: string;
	readonly mediaType: (typeof MEDIA_TYPES)[number];
	readonly number: number | null;
};

/** How many receipts a person has. */
export const countReceipts = (build: Builder, id: string) =>
	build.all<{ count: number }>(sql`select count(*) as count from receipts where owner_id = ${id}`);

/** The receipts whose files are in one part. @param part 1 for the first */
export function selectReceiptFiles(build: Builder, id: string, part: number) {
	return build.all<ReceiptFile>(sql`
		select receipt.id as id, receipt.object_key as objectKey, receipt.media_type as mediaType,
			request.number as number
		from receipts as receipt left join fund_requests as request on request.receipt_id = receipt.id
		where receipt.owner_id = ${id} order by receipt.created_at, receipt.id
		limit ${FILES_PER_PART} offset ${(part - 1) * FILES_PER_PART}`);
}

/** A receipt file's path in the archive. */
export const pathOf = ({ id, number, mediaType }: ReceiptFile) =>
	`receipts/${downloadName(number === null ? id : requestNumber(number), mediaType)}`;
