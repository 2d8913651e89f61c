/** The image of a receipt, which can be zoomed and rotated. */
import { useEffect, useRef, useState } from "react";

export type ReceiptImageProps = { readonly url: string; readonly label: string };

const SCALES = [1, 1.5, 2, 3, 4];
/** The frame's maximum share of the window's height, as in styles/administrators.css. */
const FRAME_SHARE = 0.7;
const control =
	"inline-flex min-h-11 items-center rounded-md border border-field bg-surface px-3 font-semibold max-sm:px-2 max-sm:text-sm";

/** Lays out the image in its frame: as wide as the frame allows, times the scale, rotated. */
function layOut(frame: HTMLElement, sheet: HTMLElement, image: HTMLImageElement, view: View) {
	const { naturalWidth, naturalHeight } = image;
	if (naturalWidth === 0) return;
	const isOnItsSide = view.turns % 2 === 1;
	const [width, height] = isOnItsSide
		? [naturalHeight, naturalWidth]
		: [naturalWidth, naturalHeight];
	const fit = Math.min(frame.clientWidth / width, (innerHeight * FRAME_SHARE) / height);
	const scale = fit * view.scale;
	sheet.style.width = `${width * scale}px`;
	sheet.style.height = `${height * scale}px`;
	image.style.width = `${naturalWidth * scale}px`;
	image.style.height = `${naturalHeight * scale}px`;
	image.style.transform = `translate(-50%, -50%) rotate(${view.turns * 90}deg)`;
}

type View = { readonly scale: number; readonly turns: number };

export default function ReceiptImage({ url, label }: ReceiptImageProps) {
	const [view, setView] = useState<View | undefined>();
	const frame = useRef<HTMLElement>(null);
	const sheet = useRef<HTMLDivElement>(null);
	const image = useRef<HTMLImageElement>(null);
	const current = view ?? { scale: 1, turns: 0 };
	const step = SCALES.indexOf(current.scale);
	// Until it is used, the style sheet fits it into its frame.
	useEffect(() => setView((known) => known ?? { scale: 1, turns: 0 }), []);
	useEffect(() => {
		if (!view || (view.scale === 1 && view.turns === 0)) {
			for (const part of [sheet.current, image.current]) part?.removeAttribute("style");
			return;
		}
		const [box, paper, drawing] = [frame.current, sheet.current, image.current];
		if (!box || !paper || !drawing) return;
		const draw = () => layOut(box, paper, drawing, view);
		draw();
		const observer = new ResizeObserver(draw);
		observer.observe(box);
		return () => observer.disconnect();
	}, [view]);
	/** At the end of its range a button does nothing and keeps the focus, which `disabled` would lose. */
	const zoom = (by: number) => {
		const scale = SCALES[step + by];
		return {
			onClick: () => scale !== undefined && setView({ ...current, scale }),
			className: scale === undefined ? `${control} text-quiet` : control,
			...(scale === undefined ? { "aria-disabled": true } : {}),
		};
	};
	const isChanged = current.scale !== 1 || current.turns % 4 !== 0;
	return (
		<div className="grid gap-2">
			{view ? (
				<div className="flex flex-wrap items-center gap-2">
					<button type="button" {...zoom(1)}>
						Zoom in
					</button>
					<button type="button" {...zoom(-1)}>
						Zoom out
					</button>
					<button
						type="button"
						className={control}
						onClick={() => setView({ ...current, turns: (current.turns + 1) % 4 })}
					>
						Rotate
					</button>
					<span role="status" className="text-sm text-quiet tabular-nums">
						{isChanged ? `${current.scale * 100}%, turned ${current.turns * 90}°` : ""}
					</span>
				</div>
			) : null}
			<section
				ref={frame}
				className="receipt-frame"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: an enlarged receipt is scrolled by keys
				tabIndex={0}
				aria-label={label}
			>
				<div ref={sheet} className={isChanged ? "receipt-sheet" : "contents"}>
					<img ref={image} src={url} alt={label} />
				</div>
			</section>
		</div>
	);
}
