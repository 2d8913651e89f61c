/** Headless LibreOffice: files in, files out, and what it made of them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import readWorkbook from "read-excel-file/node";

const execute = promisify(execFile);
const UTF_8 = 76;
const ENGLISH = 1033;
/** More columns than the widest file has. */
const MAX_COLUMNS = 40;

/** How a CSV file is opened: as `soffice --infilter` takes it. */
export const OPENED = {
	/** The import dialog's initial settings: split at `,`, `;` and tabs. */
	asOffered: `CSV:44/59/9,34,${UTF_8},1,,${ENGLISH},false,false,false`,
	/** Every column as text: the file's contents, uninterpreted. */
	asText: `CSV:44,34,${UTF_8},1,${Array.from({ length: MAX_COLUMNS }, (_, at) => `${at + 1}/2`).join("/")},${ENGLISH},false,false,false`,
	/** With 'Format quoted field as text' and 'Detect special numbers' ticked. */
	withTicks: `CSV:44,34,${UTF_8},1,,${ENGLISH},true,true,false`,
} as const;
const WRITTEN = {
	xlsx: "xlsx:Calc MS Excel 2007 XML",
	pdf: "pdf",
	/** Every sheet as a separate file, as it looks on screen. */
	csv: `csv:Text - txt - csv (StarCalc):44,34,${UTF_8},1,,0,false,true,false,false,false,-1`,
} as const;

export type Files = ReadonlyMap<string, Uint8Array>;

/** One LibreOffice with its own profile. */
export class Office {
	private readonly folder = mkdtempSync(join(tmpdir(), "milepost-office-"));
	private rounds = 0;

	/**
	 * Opens every file and saves it again, in one run of the program.
	 * @throws if it says anything but that it converted them
	 */
	async convert(
		files: Files,
		to: keyof typeof WRITTEN,
		opened?: (typeof OPENED)[keyof typeof OPENED],
	): Promise<Files> {
		const [from, into] = ["in", "out"].map((name) =>
			join(this.folder, `${name}-${this.rounds}`),
		) as [string, string];
		this.rounds += 1;
		for (const folder of [from, into]) mkdirSync(folder);
		for (const [name, bytes] of files) writeFileSync(join(from, name), bytes);
		const { stdout, stderr } = await execute(
			"soffice",
			[
				"--headless",
				"--norestore",
				`-env:UserInstallation=${pathToFileURL(join(this.folder, "profile"))}`,
				...(opened ? [`--infilter=${opened}`] : []),
				"--convert-to",
				WRITTEN[to],
				"--outdir",
				into,
				...[...files.keys()].map((name) => join(from, name)),
			],
			{ maxBuffer: 10_000_000, timeout: 300_000 },
		);
		// It runs without Java, and says so.
		const complaints = stderr
			.split("\n")
			.filter((line) => line.trim() && !/javaldx|^Warning: failed to/.test(line));
		const converted = stdout.match(/^convert /gm)?.length ?? 0;
		if (complaints.length > 0 || converted !== files.size)
			throw new Error(
				`${converted} of ${files.size} converted: ${complaints.join("; ")}\n${stdout}`,
			);
		return new Map(
			readdirSync(into).map((name) => [name, new Uint8Array(readFileSync(join(into, name)))]),
		);
	}

	/** What `qpdf --check` says about a faulty PDF; '' for a valid one. */
	async faultsInPdf(name: string, bytes: Uint8Array): Promise<string> {
		const path = join(this.folder, name);
		writeFileSync(path, bytes);
		try {
			await execute("qpdf", ["--check", path]);
			return "";
		} catch (error) {
			return String(error);
		}
	}

	close(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

export type ReadCell = string | number | boolean | Date | null;
export type Sheets = readonly { readonly name: string; readonly rows: readonly ReadCell[][] }[];

/** A moment is a fraction of a day, which is sometimes slightly off. */
const inSeconds = (cell: ReadCell): ReadCell =>
	cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell;

/** A workbook's cells, blanks at their ends included. */
export async function cellsOf(workbook: Uint8Array): Promise<Sheets> {
	const sheets = await readWorkbook(Buffer.from(workbook), { trim: false });
	return sheets.map(({ sheet, data }) => ({
		name: sheet,
		rows: (data as ReadCell[][]).map((row) => row.map(inSeconds)),
	}));
}

/** Formulas in a workbook. */
export const formulasIn = (workbook: Uint8Array): string[] =>
	Object.entries(unzipSync(workbook))
		.filter(([path]) => path.startsWith("xl/worksheets/"))
		.flatMap(([, xml]) => new TextDecoder().decode(xml).match(/<f[ >][\s\S]*?<\/f>/g) ?? []);
