/** What the books must hold after each file, in plain arithmetic over what the files say. */
import type { Line } from "./files.ts";

/** Sums in cents by driver, day and category, without those of zero. */
export type Sums = ReadonlyMap<string, number>;

/** How the open questions about a file are answered. */
export type Answer = "replace" | "keep";

/** `fee` is the fee that the line is part of: it is replaced as a whole. */
type Entry = { readonly line: Line; readonly importId: string; readonly fee: string };
type Change = { readonly key: string; readonly before?: Entry; readonly after: Entry };

export class Books {
	/** What is recorded of each line. */
	readonly #entries = new Map<string, Entry>();
	readonly #imports = new Map<string, readonly Change[]>();
	/** The file of each import. */
	readonly #names = new Map<string, string>();

	/** The lines of a file that are recorded with another amount. */
	changed(lines: readonly Line[]): readonly Line[] {
		return lines.filter(({ key, cents }) => {
			const known = this.#entries.get(key);
			return known !== undefined && known.line.cents !== cents;
		});
	}

	/** The recorded lines of earlier files with its name that a file doesn't have, as nothing. */
	missing(name: string, lines: readonly Line[]): readonly Line[] {
		return [...this.#entries.values()]
			.filter(
				({ line, importId }) =>
					line.cents !== 0 &&
					this.#names.get(importId) === name &&
					lines.every(({ key }) => key !== line.key),
			)
			.map(({ line }) => ({ ...line, cents: 0 }));
	}

	has(key: string): boolean {
		return this.#entries.has(key);
	}

	get lines(): readonly Line[] {
		return [...this.#entries.values()].map(({ line }) => line);
	}

	get imports(): readonly string[] {
		return [...this.#imports.keys()];
	}

	/** Records a file: new lines, and changed ones if they are to be replaced. */
	add(importId: string, name: string, lines: readonly Line[], answer: Answer): void {
		const changes: Change[] = [];
		const put = (line: Line, fee: string, before?: Entry) => {
			const after = { line, importId, fee };
			this.#entries.set(line.key, after);
			changes.push({ key: line.key, after, ...(before ? { before } : {}) });
		};
		const replaced = new Set<string>();
		for (const line of lines) {
			const before = this.#entries.get(line.key);
			if (before && (before.line.cents === line.cents || answer === "keep")) continue;
			if (before) replaced.add(before.fee);
			const { driver, day, category } = line;
			const fee = before ? `after ${before.fee}` : `${driver} ${day} ${category}`;
			put(line, `${importId} ${fee}`, before);
		}
		// The other lines of a fee that is replaced move with it.
		for (const before of [...this.#entries.values()])
			if (replaced.has(before.fee)) put(before.line, `${importId} after ${before.fee}`, before);
		if (changes.length === 0) return;
		this.#imports.set(importId, changes);
		this.#names.set(importId, name);
	}

	/** Whether a later import has replaced lines of this one, so that it can't be undone first. */
	isDependedOn(importId: string): boolean {
		return (this.#imports.get(importId) ?? []).some(
			({ key, after }) => this.#entries.get(key) !== after,
		);
	}

	/** Takes an import back: what it replaced stands again. */
	undo(importId: string): void {
		for (const { key, before } of this.#imports.get(importId) ?? []) {
			if (before) this.#entries.set(key, before);
			else this.#entries.delete(key);
		}
		this.#imports.delete(importId);
	}

	/** By `<driver> <day> <category>`. */
	get sums(): Sums {
		const sums = new Map<string, number>();
		for (const { driver, day, category, cents } of this.lines) {
			const place = `${driver} ${day} ${category}`;
			sums.set(place, (sums.get(place) ?? 0) + cents);
		}
		return new Map([...sums].filter(([, cents]) => cents !== 0));
	}
}

/** What differs between two sums, for a message; empty if nothing does. */
export function differences(expected: Sums, found: Sums): readonly string[] {
	return [...new Set([...expected.keys(), ...found.keys()])]
		.filter((place) => expected.get(place) !== found.get(place))
		.map((place) => `${place}: ${found.get(place) ?? 0} instead of ${expected.get(place) ?? 0}`);
}
