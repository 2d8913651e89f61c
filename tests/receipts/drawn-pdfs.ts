/** PDFs made by hand: ordinary ones, and five that are made to harm whoever opens them. */
import { deflateSync } from "node:zlib";

/** An object's dictionary and, if it is a stream, its contents, which are compressed. */
type Part = { readonly entries: string; readonly stream?: Uint8Array | string };

/** A file of these objects, whose first is the catalog. */
function pdfOf(parts: readonly (Part | string)[]): Uint8Array {
	const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n")];
	const places: number[] = [];
	let length = pieces[0]?.length ?? 0;
	const add = (piece: Buffer) => {
		pieces.push(piece);
		length += piece.length;
	};
	for (const [index, part] of parts.entries()) {
		places.push(length);
		const { entries, stream } = typeof part === "string" ? { entries: part } : part;
		if (stream === undefined) {
			add(Buffer.from(`${index + 1} 0 obj\n<<${entries}>>\nendobj\n`));
			continue;
		}
		// A picture brings the filter of its own compression.
		const isPacked = entries.includes("/Filter");
		const bytes = isPacked ? Buffer.from(stream) : deflateSync(stream);
		const filter = isPacked ? "" : "/Filter/FlateDecode";
		add(
			Buffer.from(`${index + 1} 0 obj\n<<${entries}${filter}/Length ${bytes.length}>>\nstream\n`),
		);
		add(bytes);
		add(Buffer.from("\nendstream\nendobj\n"));
	}
	const start = length;
	const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
	add(
		Buffer.from(
			`xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${parts.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
		),
	);
	return Buffer.concat(pieces);
}

/**
 * A file with pages of these contents. Further objects are numbered from 4 + 2 x pages.
 * @param resources of every page
 */
function pagesOf(
	contents: readonly string[],
	resources: string,
	more: readonly (Part | string)[] = [],
): Uint8Array {
	const kids = contents.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
	return pdfOf([
		"/Type/Catalog/Pages 2 0 R",
		`/Type/Pages/Count ${contents.length}/Kids[${kids}]/MediaBox[0 0 400 600]/Resources 3 0 R`,
		resources,
		...contents.flatMap((stream, index) => [
			`/Type/Page/Parent 2 0 R/Contents ${5 + 2 * index} 0 R`,
			{ entries: "", stream },
		]),
		...more,
	]);
}

/** A page with text in a font that isn't in the file, and a colored rectangle. */
export const receiptPdf = () =>
	pagesOf(
		[`0.8 0.1 0.1 rg 40 40 200 100 re f 0 g BT /F 24 Tf 40 500 Td (Total 42.00) Tj ET`],
		"/Font<</F 6 0 R>>",
		["/Type/Font/Subtype/Type1/BaseFont/Helvetica"],
	);

/** A page with a picture, such as a scanner makes. */
export const picturePdf = (filter: string, bytes: Uint8Array, width: number, height: number) =>
	pagesOf(["q 300 0 0 300 50 200 cm /I Do Q"], "/XObject<</I 6 0 R>>", [
		{
			entries: `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/${filter}`,
			stream: bytes,
		},
	]);

/** A page with a red square under a soft mask that hides its lower half. */
export const softMaskPdf = () =>
	pagesOf(
		["1 0 0 rg /G gs 0 0 400 600 re f"],
		"/ExtGState<</G<</Type/ExtGState/SMask<</Type/Mask/S/Luminosity/G 6 0 R>>>>>>",
		[
			{
				entries:
					"/Type/XObject/Subtype/Form/BBox[0 0 400 600]/Group<</S/Transparency/CS/DeviceRGB>>",
				stream: "0 g 0 0 400 300 re f 1 g 0 300 400 300 re f",
			},
		],
	);

/** Two pages, the second of which refers to a form that isn't in the file. */
export const halfLostPdf = () =>
	pagesOf(["0 g 40 40 200 100 re f", "0 g 40 40 20 20 re f /Lost Do"], "/XObject<</Lost 99 0 R>>");

/** 100,000 triangles, each as large as the page: 2 MB in 5 KB. */
function meshPdf(): Uint8Array {
	const triangle = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 128, 255, 0, 0, 255];
	return pagesOf(["/S sh"], "/Shading<</S 6 0 R>>", [
		{
			entries:
				"/ShadingType 4/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode[0 400 0 600 0 1 0 1 0 1]",
			stream: Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from(triangle))),
		},
	]);
}

/** Forms that draw the next form ten times, twenty levels deep: 10^20 lines. */
function nestedPdf(): Uint8Array {
	const levels = 20;
	return pagesOf(
		["/N Do"],
		"/XObject<</N 6 0 R>>",
		Array.from({ length: levels }, (_, level) => ({
			entries: `/Type/XObject/Subtype/Form/BBox[0 0 400 600]${level < levels - 1 ? `/Resources<</XObject<</N ${7 + level} 0 R>>>>` : ""}`,
			stream: level < levels - 1 ? "/N Do ".repeat(10) : "0 0 m 400 600 l S",
		})),
	);
}

/** Sixty pictures of 36 megapixels each, all white: 2 GB in 2 MB. */
function picturesPdf(): Uint8Array {
	const side = 6000;
	const white = deflateSync(Buffer.alloc(side * side, 255));
	const names = Array.from({ length: 60 }, (_, index) => `/I${index}`);
	return pagesOf(
		[names.map((name) => `q 400 0 0 600 0 0 cm ${name} Do Q`).join("\n")],
		`/XObject<<${names.map((name, index) => `${name} ${6 + index} 0 R`).join("")}>>`,
		names.map(() => ({
			entries: `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode`,
			stream: white,
		})),
	);
}

/** A thousand transparent groups inside each other, the innermost of which draws the first. */
function cyclePdf(): Uint8Array {
	const levels = 1000;
	return pagesOf(
		["/N Do"],
		"/XObject<</N 6 0 R>>",
		Array.from({ length: levels }, (_, level) => ({
			entries: `/Type/XObject/Subtype/Form/BBox[0 0 400 600]/Group<</S/Transparency/I true>>/Resources<</XObject<</N ${6 + ((level + 1) % levels)} 0 R>>>>`,
			stream: "0.5 g 0 0 400 600 re f /N Do",
		})),
	);
}

/** A pattern of a pattern of a pattern, in a page whose contents unpack to 100 MB. */
function patternsPdf(): Uint8Array {
	const levels = 6;
	const fill = "/Pattern cs /P scn 0 0 400 600 re f ";
	return pagesOf(
		[fill.repeat(3_000_000)],
		"/Pattern<</P 6 0 R>>",
		Array.from({ length: levels }, (_, level) => ({
			entries: `/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 400 600]/XStep 0.01/YStep 0.01/Resources<<${level < levels - 1 ? `/Pattern<</P ${7 + level} 0 R>>` : ""}>>`,
			stream: level < levels - 1 ? fill : "0 0 400 600 re f",
		})),
	);
}

/** What harms whoever draws it, by what it is made of. */
export const HOSTILE_PDFS: Readonly<Record<string, () => Uint8Array>> = {
	"a mesh": meshPdf,
	"nested forms": nestedPdf,
	"huge pictures": picturesPdf,
	"groups in a circle": cyclePdf,
	"patterns of patterns": patternsPdf,
};
