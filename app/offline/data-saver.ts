/** Whether the browser should save data. */

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string };

/** With `Save-Data`, or on a connection as slow as 2G. */
export function prefersReducedData(): boolean {
	const { saveData, effectiveType } =
		(navigator as Navigator & { readonly connection?: Connection }).connection ?? {};
	return saveData === true || /2g/.test(effectiveType ?? "");
}
