/** A number with its noun: "1 receipt", "1,204 receipts". */
export const pluralize = (number: number, noun: string): string =>
	`${number.toLocaleString("en-US")} ${number === 1 ? noun : `${noun}s`}`;
