/** The links under one page of a list. */
import { ButtonLink } from "./primitives/button.tsx";
import { cn } from "./primitives/cn.ts";

type Props = {
	/** The address of the first page; absent on it. */
	readonly first: string | undefined;
	/** The address of the page after this one; absent on the last. */
	readonly next: string | undefined;
	/** What is paged, where a screen has several lists. */
	readonly label?: string;
	readonly firstLabel?: string;
	readonly nextLabel?: string;
	readonly className?: string;
};

/** Nothing where one page is all. */
export function Pages({ first, next, label = "Pages", firstLabel = "First page", nextLabel = "Next page", className }: Props) {
	if (first === undefined && next === undefined) return null;
	return (
		<nav aria-label={label} className={cn("flex flex-wrap gap-3", className)}>
			{first === undefined ? null : (
				<ButtonLink variant="outline" href={first}>
					{firstLabel}
				</ButtonLink>
			)}
			{next === undefined ? null : (
				<ButtonLink variant="outline" href={next}>
					{nextLabel}
				</ButtonLink>
			)}
		</nav>
	);
}
