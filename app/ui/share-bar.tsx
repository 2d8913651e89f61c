/** A bar as long as a share. The number is beside it, so the drawing is decorative. */
export function ShareBar({ percent, fill }: { percent: number; fill: "fill-fuel" | "fill-fees" }) {
	return (
		<svg className="h-3 w-full rounded-full" width="100%" height="12" aria-hidden="true">
			<rect className="fill-sunken print:fill-none print:stroke-line" width="100%" height="100%" />
			<rect className={fill} width={`${percent}%`} height="100%" />
		</svg>
	);
}
