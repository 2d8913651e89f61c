import { ACCEPT } from "../domain/receipts/rules.ts";
import { Icon } from "./icons.tsx";

const BUTTON =
	"relative min-h-12 flex-wrap items-center justify-center gap-1.5 rounded-md border border-field bg-surface px-1.5 py-2 scripted:flex-nowrap text-center font-semibold focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken has-aria-invalid:border-2 has-aria-invalid:border-bad";
// The whole button is the field. Without a script, the browser's own field shows what was chosen.
const FIELD =
	"max-w-full cursor-pointer scripted:absolute scripted:inset-0 scripted:w-full scripted:opacity-0";

/** What is accepted as a receipt; with the size limit, if it is known. */
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
			<button
				type="button"
				data-camera={id}
				className={`${BUTTON} hidden flex-1 basis-32 group-data-chosen:hidden! scripted:flex sm:pointer-fine:scripted:hidden`}
			>
				<Icon name="camera" />
				Take photo
			</button>
			<label
				className={`${BUTTON} flex min-w-0 flex-1 basis-32 scripted:group-data-chosen:flex-none`}
			>
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
					className={FIELD}
					{...described}
				/>
			</label>
		</div>
	);
}
