import { Button, ButtonLink } from "../primitives/button.tsx";

/**
 * The end of a list's filters.
 * @param clear the URL of the whole list; undefined if it is shown
 */
export function FilterButtons({ clear }: { clear: string | undefined }) {
	return (
		<div className="flex flex-wrap justify-end gap-3 *:max-sm:grow">
			{clear === undefined ? null : (
				<ButtonLink variant="outline" href={clear}>
					Clear filters
				</ButtonLink>
			)}
			<Button variant="outline">Apply</Button>
		</div>
	);
}
