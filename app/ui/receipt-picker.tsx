import { ACCEPT } from "../domain/receipts/rules.ts";
import { Icon } from "./icons.tsx";

/** What is accepted as a receipt, with the size limit if known. */
export const receiptHint = (megabytes: number | undefined) =>
	`JPEG, PNG, WebP or PDF${megabytes === undefined ? "" : `, up to ${megabytes} MB`}.`;

/**
 * The receipt: one file field, which 'Take photo' opens with the camera (page-cameras.ts). A script
 * (page-receipts.ts) makes large photos smaller, and shows the chosen file where 'Take photo' was,
 * so that nothing below it moves.
 */
export function ReceiptPicker({
	control: { id, ...described },
	megabytes,
	kept = "",
}: {
	/** What connects the field with its label, hint and errors. */
	control: {
		readonly id: string;
		readonly "aria-describedby"?: string;
		readonly "aria-invalid"?: true;
	};
	/** The largest file; unknown on the offline page. */
	megabytes?: number | undefined;
	/** The name of a receipt kept from an earlier attempt; '' for none. */
	kept?: string;
}) {
	return (
		<div
			data-receipt=""
			{...(kept ? { "data-chosen": "" } : {})}
			className="group flex flex-wrap items-center gap-2"
		>
			<p
				role="status"
				className="line-clamp-2 min-w-0 flex-1 basis-24 text-sm wrap-anywhere empty:absolute"
			>
				{kept ? `Receipt selected: ${kept}` : null}
			</p>
			<button type="button" data-camera={id} className="picker picker-camera">
				<Icon name="camera" />
				Take photo
			</button>
			<label className="picker picker-file">
				<Icon name="receipt" className="hidden size-5 scripted:block" />
				<span data-choose="" className="hidden scripted:inline">
					{kept ? "Change" : "Choose file"}
				</span>
				<input
					type="file"
					id={id}
					name="receipt"
					accept={ACCEPT}
					data-megabytes={megabytes}
					{...described}
				/>
			</label>
		</div>
	);
}
