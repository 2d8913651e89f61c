/**
 * The file field of a statement: a working input that, once hydrated, accepts a dropped file and
 * shows upload progress for a large one.
 */
import { useEffect, useRef, useState } from "react";

export type StatementDropProps = {
	readonly id: string;
	readonly describedBy: string;
	readonly isFaulty: boolean;
};

/** Files below this many bytes are uploaded before anyone could read a progress bar. */
const QUICK = 256 * 1024;

export default function StatementDrop({ id, describedBy, isFaulty }: StatementDropProps) {
	const field = useRef<HTMLInputElement>(null);
	const [isOver, setOver] = useState(false);
	const [name, setName] = useState("");
	/** How many other files were dropped with it; they are left out. */
	const [leftOut, setLeftOut] = useState(0);
	const [percent, setPercent] = useState<number>();

	useEffect(() => {
		const input = field.current;
		const form = input?.form;
		if (!input || !form) return;
		let isSending = false;
		const show = () => {
			setName(input.files?.[0]?.name ?? "");
			setLeftOut(0);
		};
		show();
		/** Restores the form after it was stopped or returned to. */
		const reset = () => {
			isSending = false;
			setPercent(undefined);
		};
		const send = (event: SubmitEvent) => {
			const file = input.files?.[0];
			if (!file || file.size <= QUICK) return;
			event.preventDefault();
			if (isSending) return;
			isSending = true;
			const request = new XMLHttpRequest();
			const plainly = () => {
				reset();
				form.submit();
			};
			request.upload.addEventListener("progress", ({ loaded, total }) =>
				setPercent(Math.floor((100 * loaded) / Math.max(1, total))),
			);
			request.addEventListener("load", () => {
				const location = request.status === 200 ? locationIn(request.responseText) : undefined;
				// Any other response is a page, and is requested again as one.
				if (location) window.location.assign(location);
				else plainly();
			});
			request.addEventListener("error", plainly);
			request.addEventListener("abort", reset);
			request.open("POST", form.action);
			request.setRequestHeader("Accept", "application/json");
			setPercent(0);
			request.send(new FormData(form));
		};
		input.addEventListener("change", show);
		form.addEventListener("submit", send);
		window.addEventListener("pageshow", reset);
		return () => {
			input.removeEventListener("change", show);
			form.removeEventListener("submit", send);
			window.removeEventListener("pageshow", reset);
		};
	}, []);

	const drop = (event: React.DragEvent) => {
		event.preventDefault();
		setOver(false);
		const input = field.current;
		const [file, ...others] = event.dataTransfer.files;
		if (!input || !file) return;
		const transfer = new DataTransfer();
		transfer.items.add(file);
		input.files = transfer.files;
		setName(file.name);
		setLeftOut(others.length);
	};

	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same by keyboard
		<div
			className={`grid gap-2 rounded-md border-2 border-dashed p-4 ${isOver ? "border-accent bg-accent-soft" : "border-field"}`}
			onDragOver={(event) => {
				event.preventDefault();
				setOver(true);
			}}
			onDragLeave={() => setOver(false)}
			onDrop={drop}
		>
			<input
				ref={field}
				type="file"
				id={id}
				name="file"
				accept=".csv,.tsv,.txt,text/csv"
				{...(describedBy ? { "aria-describedby": describedBy } : {})}
				{...(isFaulty ? { "aria-invalid": true } : {})}
				className="min-h-11 w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad"
			/>
			{/* One line, hydrated or not, with a file or without, so that nothing below it moves. */}
			<p role="status" className="truncate text-quiet">
				{percent !== undefined
					? percent < 100
						? `Sending ${name}`
						: `${name} is being read`
					: name
						? `${leftOut > 0 ? "Only one file at a time. " : ""}Chosen: ${name}`
						: "Or drop the file here"}
			</p>
			{percent !== undefined ? (
				<progress
					className="h-3 w-full accent-accent"
					max={100}
					aria-label="Sent so far"
					{...(percent < 100 ? { value: percent } : {})}
				/>
			) : null}
		</div>
	);
}

/** The URL of the statement, according to the server. */
function locationIn(text: string): string | undefined {
	try {
		const answer: unknown = JSON.parse(text);
		const { location } = answer as { location?: unknown };
		return typeof location === "string" && location.startsWith("/") ? location : undefined;
	} catch {
		return undefined;
	}
}
