/** Whether the browser should save data. */

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string };

/** True with `Save-Data`, or on a link as slow as 2G. */
export function prefersReducedData(): boolean {
	const { saveData, effectiveType } =
		(navigator as Navigator & { readonly connection?: Connection }).connection ?? {};
	return saveData === true || /2g/.test(effectiveType ?? "");
}
