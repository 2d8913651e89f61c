/** The import screen's URL parameters: a page of the imports. */
import {
	cursors,
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";

/** An import's position in the list, latest first. */
const importCursors = cursors({ createdAt: "number", id: "id" });
export type ImportCursor = NonNullable<ReturnType<typeof importCursors.parse>>;

const NAMES: PositionNames = { after: "importsAfter", before: "importsBefore" };

/** Parses a URL; the first page by default. */
export function parsePosition(query: URLSearchParams): Position<ImportCursor> | undefined {
	return readPosition(query, importCursors.parse, NAMES);
}

/** The URL of a page of the imports. */
export function importsUrl(position: Position<ImportCursor> | undefined): string {
	const query = new URLSearchParams();
	setPosition(query, position, importCursors.format, NAMES);
	return `/uber-fees/import${query.size > 0 ? `?${query}` : ""}`;
}

/** The URL of the list of imports that starts with this one. */
export const importPath = ({ id, createdAt }: ImportCursor): string =>
	`${importsUrl({ way: "after", cursor: { id, createdAt: createdAt + 1 } })}#import-${id}`;
