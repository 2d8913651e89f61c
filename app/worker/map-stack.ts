/** Turns the bundle's lines and columns in a stack into our own files and lines. */
import { decode, type SourceMapMappings } from "@jridgewell/sourcemap-codec";

/** A bundled file's source map, reduced to one mapping per source line. */
export type FileMap = { readonly sources: readonly string[]; readonly mappings: string };
export type StackMap = Readonly<Record<string, FileMap>>;

/** The source line behind a position in the bundle: `app/domain/…/approve.server.ts:31`. */
function findSource(
	{ sources, mappings }: { sources: readonly string[]; mappings: SourceMapMappings },
	line: number,
	column: number,
): string | undefined {
	// Stacks count columns from 1, source maps from 0.
	const mapping = mappings[line - 1]?.findLast(([start]) => start < column);
	if (!mapping || mapping.length === 1) return undefined;
	const [, source, sourceLine] = mapping;
	return `${sources[source]}:${sourceLine + 1}`;
}

/** Rewrites each frame that the table knows and leaves the others as they are. */
export function mapStack(stack: string, files: StackMap): string {
	const decoded = new Map<string, { sources: readonly string[]; mappings: SourceMapMappings }>();
	return stack.replace(
		/[^\s()]*?([\w.-]+\.js):(\d+):(\d+)/g,
		(frame: string, name: string, line: string, column: string) => {
			const file = Object.hasOwn(files, name) ? files[name] : undefined;
			if (!file) return frame;
			const map = decoded.get(name) ?? { ...file, mappings: decode(file.mappings) };
			decoded.set(name, map);
			return findSource(map, Number(line), Number(column)) ?? frame;
		},
	);
}
