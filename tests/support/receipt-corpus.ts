/**
 * Every file that the receipt tests send: real images, what phones and programs add to them, and
 * what attackers do to them.
 */
import type { CorpusFile } from "../receipts/corpus-file.ts";
import { jpegFiles } from "../receipts/jpeg-files.ts";
import { otherFiles } from "../receipts/other-files.ts";
import { pngFiles } from "../receipts/png-files.ts";
import { webpFiles } from "../receipts/webp-files.ts";

/** The whole corpus, created anew by each call but always the same. */
export function receiptCorpus(): CorpusFile[] {
	return [...jpegFiles(), ...pngFiles(), ...webpFiles(), ...otherFiles()];
}
