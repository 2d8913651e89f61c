/** The URLs of this screen: a page of the list, a dialog over it, a fragment in it. */
/** A URL with the parameters that aren't undefined. */
export function listUrl(
	parameters: Readonly<Record<string, string | undefined>>,
	anchor: string,
): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters))
		if (value !== undefined) query.set(name, value);
	return `/requests${query.size > 0 ? `?${query}` : ""}${anchor && `#${anchor}`}`;
}
