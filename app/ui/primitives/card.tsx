import type { HTMLAttributes, ReactNode } from "react";
import { cn } from "./cn.ts";

/** A bordered surface. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
	return (
		<div
			className={cn("rounded-lg border border-line bg-surface p-4 sm:p-6", className)}
			{...rest}
		/>
	);
}

/** A card's heading. */
export function CardTitle({ children }: { children: ReactNode }) {
	return <h2 className="text-lg font-semibold">{children}</h2>;
}
