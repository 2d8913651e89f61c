/**
 * The receipt: one file field, which 'Take photo' opens with the camera (page-cameras.ts). Once
 * hydrated, it names and shows the chosen file and shrinks a large photo for slow connections.
 */
import { useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icons.tsx";

export type ReceiptPickerProps = {
	readonly id: string;
	readonly accept: string;
	readonly describedBy: string;
	/** Whether the file of an earlier attempt was refused. */
	readonly isFaulty: boolean;
	/** The name of a receipt kept from an earlier attempt; '' for none. */
	readonly kept: string;
};

/** The maximum bytes of a picture that is sent unchanged, and pixels of its long edge. */
const SMALL_ENOUGH = 600_000;
const LONG_EDGE = 2000;
/**
 * Tried in this order until the picture is small enough: edge in pixels, JPEG quality. A receipt is
 * still readable at the last one.
 */
const ATTEMPTS = [
	[LONG_EDGE, 0.8],
	[LONG_EDGE, 0.6],
	[1400, 0.6],
] as const;
const ENOUGH = 900_000;
/** How long a form waits for its photo to be made smaller, in milliseconds. */
const PATIENCE_MS = 10_000;

const isPicture = (file: File) => file.type.startsWith("image/");

/** A JPEG of the picture, upright, with a long edge of at most the given length. */
async function resizeImage(
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
	// A JPEG has no transparency, so the background is white.
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

/** A smaller copy of a large picture; `undefined` if it is sent unchanged. */
async function shrinkPhoto(file: File): Promise<File | undefined> {
	if (!isPicture(file) || file.size <= SMALL_ENOUGH) return undefined;
	const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
	try {
		let best: Blob | null = null;
		for (const [longEdge, quality] of ATTEMPTS) {
			best = await resizeImage(picture, longEdge, quality);
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

/** Replaces the chosen file. */
function replaceFile(field: HTMLInputElement, file: File): void {
	const transfer = new DataTransfer();
	transfer.items.add(file);
	field.files = transfer.files;
}

const BUTTON =
	"relative flex min-h-12 flex-wrap items-center justify-center gap-2 rounded-md border border-field bg-surface p-2 text-center font-semibold focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken has-aria-invalid:border-2 has-aria-invalid:border-bad";
// The whole button is the field. Without a script, the browser's own field shows what was chosen.
const FIELD =
	"max-w-full cursor-pointer [@media(scripting:enabled)]:absolute [@media(scripting:enabled)]:inset-0 [@media(scripting:enabled)]:w-full [@media(scripting:enabled)]:opacity-0";

export default function ReceiptPicker({
	id,
	accept,
	describedBy,
	isFaulty,
	kept,
}: ReceiptPickerProps) {
	const field = useRef<HTMLInputElement>(null);
	const [chosen, setChosen] = useState<{ name: string; picture: string }>();
	const [isHeld, setHeld] = useState(false);

	useEffect(() => {
		const input = field.current;
		const form = input?.form;
		if (!input || !form) return;
		let address = "";
		let shrinking: Promise<void> | undefined;
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
				const smaller = await shrinkPhoto(file);
				// Another file may have been chosen, or the form sent, meanwhile.
				if (!smaller || input.files?.[0] !== file) return;
				replaceFile(input, smaller);
				show(smaller);
			} catch {
				// What can't be made smaller is sent unchanged; the server decides whether to accept it.
			}
		};
		const change = () => {
			const work = take().finally(() => {
				if (shrinking === work) shrinking = undefined;
			});
			shrinking = work;
		};
		/** A form waits for its photo: unchanged, it may be larger than what is accepted. */
		const hold = (event: SubmitEvent) => {
			if (!shrinking) return;
			event.preventDefault();
			event.stopImmediatePropagation();
			setHeld(true);
			const patience = new Promise((pass) => setTimeout(pass, PATIENCE_MS));
			void Promise.race([shrinking, patience]).then(() => {
				shrinking = undefined;
				setHeld(false);
				form.requestSubmit(event.submitter);
			});
		};
		// Handles a file that was chosen before hydration.
		if (input.files?.length) change();
		input.addEventListener("change", change);
		form.addEventListener("submit", hold, { capture: true });
		return () => {
			input.removeEventListener("change", change);
			form.removeEventListener("submit", hold, { capture: true });
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
					className={`${BUTTON} sm:pointer-fine:hidden [@media(scripting:none)]:hidden`}
				>
					<Icon name="camera" />
					Take photo
				</button>
				<label className={BUTTON}>
					<Icon name="receipt" />
					<span>Choose file</span>
					<input
						ref={field}
						type="file"
						id={id}
						name="receipt"
						accept={accept}
						aria-describedby={describedBy}
						{...(isFaulty ? { "aria-invalid": true } : {})}
						className={FIELD}
					/>
				</label>
			</div>
			<p role="status" className="wrap-anywhere empty:hidden">
				{isHeld ? "Preparing the photo..." : name ? `Receipt selected: ${name}` : null}
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
