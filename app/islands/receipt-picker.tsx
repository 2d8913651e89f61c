/**
 * The receipt's file field: a working input that, once awake, names and shows what was chosen and
 * makes a large photo small enough for one bar of signal.
 */
import { useEffect, useRef, useState } from "react";

export type ReceiptPickerProps = {
	readonly id: string;
	readonly accept: string;
	readonly describedBy: string;
	/** Whether the file of an earlier try could not be taken. */
	readonly isFaulty: boolean;
	/** The name of a receipt that an earlier try left here; '' for none. */
	readonly kept: string;
};

/** Bytes of a picture that is sent as it is, and pixels its long edge may have. */
const SMALL_ENOUGH = 600_000;
const LONG_EDGE = 2000;
/**
 * Tried in this order until the picture is small: edge in pixels, JPEG quality. A receipt stays
 * readable at the last one.
 */
const ATTEMPTS = [
	[LONG_EDGE, 0.8],
	[LONG_EDGE, 0.6],
	[1400, 0.6],
] as const;
const ENOUGH = 900_000;

const isPicture = (file: File) => file.type.startsWith("image/");

/** A JPEG of the picture, upright, at most as long as asked for. */
async function drawn(
	picture: ImageBitmap,
	longEdge: number,
	quality: number,
): Promise<Blob | null> {
	const scale = Math.min(1, longEdge / Math.max(picture.width, picture.height));
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, Math.round(picture.width * scale));
	canvas.height = Math.max(1, Math.round(picture.height * scale));
	const context = canvas.getContext("2d");
	if (!context) return null;
	// A JPEG has no transparency: what shows through is paper.
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

/** A smaller copy of a large picture; `undefined` for what is sent as it is. */
async function shrunk(file: File): Promise<File | undefined> {
	if (!isPicture(file) || file.size <= SMALL_ENOUGH) return undefined;
	const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
	try {
		let best: Blob | null = null;
		for (const [longEdge, quality] of ATTEMPTS) {
			best = await drawn(picture, longEdge, quality);
			if (best && best.size <= ENOUGH) break;
		}
		if (best?.type !== "image/jpeg" || best.size >= file.size) return undefined;
		return new File([best], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, {
			type: best.type,
			lastModified: file.lastModified,
		});
	} finally {
		picture.close();
	}
}

/** Puts another file in the place of the chosen one. */
function replaceFile(field: HTMLInputElement, file: File): void {
	const transfer = new DataTransfer();
	transfer.items.add(file);
	field.files = transfer.files;
}

export default function ReceiptPicker({
	id,
	accept,
	describedBy,
	isFaulty,
	kept,
}: ReceiptPickerProps) {
	const field = useRef<HTMLInputElement>(null);
	const [chosen, setChosen] = useState<{ name: string; picture: string }>();

	useEffect(() => {
		const input = field.current;
		if (!input) return;
		let address = "";
		const show = (file: File | undefined) => {
			URL.revokeObjectURL(address);
			address = file && isPicture(file) ? URL.createObjectURL(file) : "";
			setChosen(file && { name: file.name, picture: address });
		};
		const take = async () => {
			const file = input.files?.[0];
			show(file);
			if (!file) return;
			try {
				const smaller = await shrunk(file);
				// Another file may have been chosen, or the form sent, meanwhile.
				if (!smaller || input.files?.[0] !== file) return;
				replaceFile(input, smaller);
				show(smaller);
			} catch {
				// What cannot be made smaller is sent as it is: the server says whether it takes it.
			}
		};
		// A file chosen before this woke is a chosen file.
		void take();
		input.addEventListener("change", take);
		return () => {
			input.removeEventListener("change", take);
			URL.revokeObjectURL(address);
		};
	}, []);

	const name = chosen?.name ?? kept;
	return (
		<div className="grid gap-2">
			<input
				ref={field}
				type="file"
				id={id}
				name="receipt"
				accept={accept}
				aria-describedby={describedBy}
				{...(isFaulty ? { "aria-invalid": true } : {})}
				className="min-h-11 w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad"
			/>
			<p role="status" className="wrap-anywhere empty:hidden">
				{name ? `Receipt selected: ${name}` : null}
			</p>
			{chosen?.picture ? (
				<img
					src={chosen.picture}
					alt=""
					className="max-h-40 max-w-full justify-self-start rounded-md border border-line"
				/>
			) : null}
		</div>
	);
}
