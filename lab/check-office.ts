/**
 * `npm run check:office`: opens every file about money in LibreOffice and compares it cell by cell.
 * It needs `soffice` and `qpdf`, which Milepost itself doesn't, so `npm test` leaves it out.
 */
import { spawnSync } from "node:child_process";
import { bundle } from "../tools/bundle.ts";
import { runVitest } from "../tools/checks.ts";

const missing = ["soffice", "qpdf"].filter(
	(program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0,
);
if (missing.length > 0)
	throw new Error(
		`check:office needs ${missing.join(" and ")}. On Debian: apt-get install libreoffice-calc qpdf`,
	);
process.env.MILEPOST_OFFICE = "on";
await bundle("local");
const { passed, failed } = await runVitest(["office"], []);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
