/** The only set of icons: 24 px line drawings, always beside a word or inside a labeled control. */
const PATHS = {
	home: "M3 11 12 3l9 8M5 10v10h5v-6h4v6h5V10",
	road: "M8 3 4 21M16 3l4 18M12 4v3M12 11v3M12 18v3",
	money: "M3 6h18v12H3zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M6 9v.01M18 15v.01",
	history: "M4 5v5h5M4.6 10A8 8 0 1 1 4 13.5M12 8v5l3 2",
	chart: "M4 4v16h16M8 16v-5M12 16V8M16 16v-3",
	receipt: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
	people:
		"M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2 21c0-4 3-6 7-6s7 2 7 6M17 4a4 4 0 0 1 0 7M19 15c2 1 3 3 3 6",
	report: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
	shield: "M12 3 4 6v6c0 5 4 8 8 9 4-1 8-4 8-9V6zM9 12l2 2 4-4",
	camera: "M3 8h4l2-3h6l2 3h4v11H3zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7",
	help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.01",
	car: "M3 16v-4l2-6h14l2 6v4M3 12h18M5 16v3M19 16v3M3 16h18M7 14v.01M17 14v.01",
	exit: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
	close: "M6 6l12 12M18 6 6 18",
	clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2",
	circle: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
	check: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8 12.5l2.8 2.8L16 9.5",
	cross: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9 9l6 6M15 9l-6 6",
	warning: "M12 3 2 20h20zM12 10v4M12 17v.01",
	question: "M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12h5",
	mail: "M3 6h18v12H3zM3 7l9 7 9-7",
	search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M20 20l-4-4",
	settings:
		"M4 7h8M16 7h4M14 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M4 17h4M12 17h8M10 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
	more: "M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon; decorative, since a word is beside it. */
export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
	return (
		// The size if the styles don't arrive.
		<svg
			className={`icon ${className}`}
			width="24"
			height="24"
			viewBox="0 0 24 24"
			aria-hidden="true"
		>
			<path d={PATHS[name]} />
		</svg>
	);
}
