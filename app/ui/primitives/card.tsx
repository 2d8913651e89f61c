import { clsx } from "clsx";
import type { HTMLAttributes, ReactNode } from "react";

/** A bordered surface. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
	return <div className={clsx("card", className)} {...rest} />;
}

/** A card's heading. */
export function CardTitle({ children }: { children: ReactNode }) {
	return <h2 className="text-lg font-semibold">{children}</h2>;
}
