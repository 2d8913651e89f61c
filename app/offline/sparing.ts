/** Whether the browser's link is one on which every byte counts. */

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string };

/** True where nobody has asked for a byte too many: `Save-Data`, or a link as slow as 2G. */
export function isSparing(): boolean {
	const { saveData, effectiveType } = (navigator as Navigator & { readonly connection?: Connection }).connection ?? {};
	return saveData === true || /2g/.test(effectiveType ?? "");
}
