/** Our files and lines behind the columns of the bundle, for whoever reads a stack. */

/** A bundled file's mappings as source maps write them, thinned out to where a line changes. */
export type FileMap = { readonly sources: readonly string[]; readonly mappings: string };
export type StackMap = Readonly<Record<string, FileMap>>;

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of a segment, as source maps write them. */
export function numbersIn(segment: string): number[] {
	const numbers: number[] = [];
	let [value, shift] = [0, 0];
	for (const digit of segment) {
		const bits = DIGITS.indexOf(digit);
		value += (bits & 31) << shift;
		shift += 5;
		if (bits & 32) continue;
		numbers.push(value & 1 ? -(value >> 1) : value >> 1);
		[value, shift] = [0, 0];
	}
	return numbers;
}

/** Where a place of the bundle was written: `app/domain/…/approve.server.ts:31`. */
function sourceOf({ sources, mappings }: FileMap, line: number, column: number) {
	let [at, source, sourceLine] = [0, 0, 0];
	let found: string | undefined;
	for (const [index, text] of mappings.split(";").entries()) {
		if (index >= line) break;
		at = 0;
		found = undefined;
		for (const segment of text ? text.split(",") : []) {
			const [columns = 0, sourcesOn = 0, linesOn = 0] = numbersIn(segment);
			at += columns;
			source += sourcesOn;
			sourceLine += linesOn;
			if (index === line - 1 && at < column) found = `${sources[source]}:${sourceLine + 1}`;
		}
	}
	return found;
}

/** A stack with our files and lines in it; what the table doesn't know stays as it is. */
export function mapStack(stack: string, files: StackMap): string {
	return stack.replace(
		/[^\s()]*?([\w.-]+\.js):(\d+):(\d+)/g,
		(frame: string, name: string, line: string, column: string) => {
			const file = Object.hasOwn(files, name) ? files[name] : undefined;
			return (file && sourceOf(file, Number(line), Number(column))) ?? frame;
		},
	);
}
