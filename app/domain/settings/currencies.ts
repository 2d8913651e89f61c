/** Which currencies a fleet can have. */

/** Without cents, with three decimals, or of no country: funds, metals and tests. */
const OTHER_DECIMALS = new Set(
	"BIF CLF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV BHD IQD JOD KWD LYD OMR TND UYW".split(
		" ",
	),
);

/** Whether a code is that of a currency with two decimals. */
export const hasCents = (code: string): boolean =>
	!OTHER_DECIMALS.has(code) &&
	!/^X(?!C[DG])/.test(code) &&
	Intl.supportedValuesOf("currency").includes(code);
