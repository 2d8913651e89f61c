/** The receipt in the page: an image or the pages of a PDF, and always the file itself. */
import type { ReactNode } from "react";
import { REMOVED_RECEIPT } from "../../domain/fund-requests/rules.ts";
import { Island } from "../../islands/island.tsx";
import ReceiptImage from "../../islands/receipt-image.tsx";
import ReceiptPages from "../../islands/receipt-pages.tsx";
import type { RequestView } from "./row.server.ts";

const fileLink = "inline-flex min-h-11 items-center font-semibold wrap-anywhere text-accent";

/** Why there is no file to show. */
export function withoutFile(receiptName: string | null): string {
	if (receiptName === null) return "This request has no receipt.";
	if (receiptName === REMOVED_RECEIPT)
		return "The receipt was removed with the driver's personal data.";
	return `${receiptName} was named, but no file was sent.`;
}

/** @param children what can be done if there is none */
export function ReceiptView({ request, children }: { request: RequestView; children?: ReactNode }) {
	const { file, number } = request;
	if (!file)
		return (
			<div className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-dashed border-line px-4 py-2">
				<p className="wrap-anywhere text-quiet">{withoutFile(request.receiptName)}</p>
				{children}
			</div>
		);
	const url = `/api/receipts/${file.id}`;
	return (
		<div className="grid gap-2">
			{file.isPdf ? (
				<Island
					name="receipt-pages"
					component={ReceiptPages}
					props={{ url, label: `Receipt of ${number}` }}
				/>
			) : (
				<Island
					name="receipt-image"
					component={ReceiptImage}
					props={{ url, label: `Receipt of ${number}` }}
				/>
			)}
			{file.isPdf ? (
				<a href={url} download={file.name} className={fileLink}>
					<span>
						Download <bdi>{file.name}</bdi>
					</span>
				</a>
			) : (
				<a href={url} target="_blank" rel="noopener" className={fileLink}>
					<span>
						<bdi>{file.name}</bdi> (opens a new tab)
					</span>
				</a>
			)}
		</div>
	);
}
