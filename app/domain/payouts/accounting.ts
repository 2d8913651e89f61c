/** What the files for Xero and QuickBooks book a payout on. */

/** The expense account, and the tax rate as it is called there. */
export type AccountingCodes = { readonly accountCode: string; readonly taxType: string };

type Variables = { readonly ACCOUNT_CODE?: string; readonly TAX_TYPE?: string };

/**
 * The codes of a fleet: its variables, or what a new Xero organisation in the United States has for
 * motor vehicle expenses and for no tax. No cell of these columns may be empty there.
 */
export function accountingCodes({ ACCOUNT_CODE, TAX_TYPE }: Variables): AccountingCodes {
	return { accountCode: ACCOUNT_CODE?.trim() || "449", taxType: TAX_TYPE?.trim() || "Tax Exempt" };
}
