/**
 * The receipt: one file field, which 'Take photo' opens with the camera (page-cameras.ts) and whose
 * large photos are made smaller (page-receipts.ts). Once hydrated, it names and shows the chosen file.
 */
import { useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icons.tsx";
import type { REPLACED } from "../ui/page-receipts.ts";

export type ReceiptPickerProps = {
	readonly id: string;
	readonly accept: string;
	readonly describedBy: string;
	/** Whether the file of an earlier attempt was refused. */
	readonly isFaulty: boolean;
	/** The largest file, in megabytes; unknown on the offline page. */
	readonly megabytes?: number;
	/** The name of a receipt kept from an earlier attempt; '' for none. */
	readonly kept: string;
};

/** The literal word: importing its module would make a file of what every page loads at once. */
const replaced: typeof REPLACED = "replaced";

const BUTTON =
	"relative min-h-12 flex-wrap items-center justify-center gap-2 rounded-md border border-field bg-surface p-2 text-center font-semibold focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken has-aria-invalid:border-2 has-aria-invalid:border-bad";
// The whole button is the field. Without a script, the browser's own field shows what was chosen.
const FIELD =
	"max-w-full cursor-pointer scripted:absolute scripted:inset-0 scripted:w-full scripted:opacity-0";

export default function ReceiptPicker({
	id,
	accept,
	describedBy,
	isFaulty,
	megabytes,
	kept,
}: ReceiptPickerProps) {
	const field = useRef<HTMLInputElement>(null);
	const [chosen, setChosen] = useState<{ name: string; picture: string }>();

	useEffect(() => {
		const input = field.current;
		if (!input) return;
		let address = "";
		let later: ReturnType<typeof setTimeout> | undefined;
		const show = () => {
			clearTimeout(later);
			// The preview moves the button, and one that moves while it is pressed isn't clicked.
			if (input.form?.querySelector("button:active")) {
				later = setTimeout(show, 100);
				return;
			}
			const file = input.files?.[0];
			URL.revokeObjectURL(address);
			address = file?.type.startsWith("image/") ? URL.createObjectURL(file) : "";
			setChosen(file && { name: file.name, picture: address });
		};
		show();
		for (const event of ["change", replaced]) input.addEventListener(event, show);
		return () => {
			clearTimeout(later);
			for (const event of ["change", replaced]) input.removeEventListener(event, show);
			URL.revokeObjectURL(address);
		};
	}, []);

	const name = chosen?.name ?? kept;
	return (
		<div className="grid gap-2">
			<div className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-3">
				<button
					type="button"
					data-camera={id}
					className={`${BUTTON} hidden scripted:flex sm:pointer-fine:scripted:hidden`}
				>
					<Icon name="camera" />
					Take photo
				</button>
				<label className={`${BUTTON} flex`}>
					<Icon name="receipt" />
					<span>Choose file</span>
					<input
						ref={field}
						type="file"
						id={id}
						name="receipt"
						accept={accept}
						aria-describedby={describedBy}
						data-megabytes={megabytes}
						{...(isFaulty ? { "aria-invalid": true } : {})}
						className={FIELD}
					/>
				</label>
			</div>
			<p role="status" className="wrap-anywhere empty:absolute">
				{name ? `Receipt selected: ${name}` : null}
			</p>
			{chosen?.picture ? (
				<img
					src={chosen.picture}
					alt=""
					className="h-40 max-w-full justify-self-start object-contain rounded-md border border-line"
				/>
			) : null}
		</div>
	);
}
