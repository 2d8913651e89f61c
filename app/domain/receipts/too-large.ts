/** The message for a file over the limit, alone because every driver's page loads it. */

/** @param megabytes the limit on a file */
export const tooLargeSentence = (megabytes: number): string =>
	`This file is over ${megabytes} MB. Upload a smaller image or PDF.`;
