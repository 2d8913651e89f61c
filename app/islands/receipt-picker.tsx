/**
 * The receipt: two working file fields under one name, one for the camera and one for what the
 * phone already has. Once awake, it names and shows what was chosen and makes a large photo small
 * enough for one bar of signal.
 */
import { useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icons.tsx";

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

/** What a camera makes. */
const PHOTOS = "image/jpeg,image/png,image/webp";

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

const BUTTON =
	"relative flex min-h-12 flex-wrap items-center justify-center gap-2 rounded-md border border-field bg-surface p-2 text-center font-semibold focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken has-aria-invalid:border-2 has-aria-invalid:border-bad";
// The whole button is the field. Where no script will ever say what was chosen, the browser's own
// field says it.
const FIELD =
	"max-w-full cursor-pointer [@media(scripting:enabled)]:absolute [@media(scripting:enabled)]:inset-0 [@media(scripting:enabled)]:w-full [@media(scripting:enabled)]:opacity-0";

export default function ReceiptPicker({
	id,
	accept,
	describedBy,
	isFaulty,
	kept,
}: ReceiptPickerProps) {
	const camera = useRef<HTMLInputElement>(null);
	const files = useRef<HTMLInputElement>(null);
	const [chosen, setChosen] = useState<{ name: string; picture: string }>();

	useEffect(() => {
		const inputs = [camera.current, files.current].filter((input) => input !== null);
		let address = "";
		const show = (file: File | undefined) => {
			URL.revokeObjectURL(address);
			address = file && isPicture(file) ? URL.createObjectURL(file) : "";
			setChosen(file && { name: file.name, picture: address });
		};
		const take = async (input: HTMLInputElement) => {
			const file = input.files?.[0];
			// One receipt: the last one chosen.
			if (file) for (const other of inputs) if (other !== input) other.value = "";
			show(inputs.find((each) => each.files?.length)?.files?.[0]);
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
		const changed = (event: Event) => void take(event.currentTarget as HTMLInputElement);
		for (const input of inputs) {
			// A file chosen before this woke is a chosen file.
			if (input.files?.length) void take(input);
			input.addEventListener("change", changed);
		}
		return () => {
			for (const input of inputs) input.removeEventListener("change", changed);
			URL.revokeObjectURL(address);
		};
	}, []);

	const name = chosen?.name ?? kept;
	return (
		<div className="grid gap-2">
			<div className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-3">
				<label className={`${BUTTON} sm:pointer-fine:hidden`}>
					<Icon name="camera" />
					<span>Take photo</span>
					<input
						ref={camera}
						type="file"
						id={`${id}-photo`}
						name="receipt"
						accept={PHOTOS}
						capture="environment"
						aria-describedby={describedBy}
						className={FIELD}
					/>
				</label>
				<label className={BUTTON}>
					<Icon name="receipt" />
					<span>Choose file</span>
					<input
						ref={files}
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
