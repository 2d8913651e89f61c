/** The messages when a statement isn't imported, or its import isn't undone. */
import { KEY_REUSED } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { whyNotOpened } from "../statements/refusals.ts";
import type { ColumnsRefusal, ImportRefusal } from "./commands/import.server.ts";
import type { UndoRefusal } from "./commands/undo-import.server.ts";

export const whyNotImported = answersIn<ReasonsOf<ImportRefusal>>({
	"bad-file": ({ message }) => ({ status: 400, message }),
	"contradictory-dates": ({ message }) => ({ status: 422, message }),
	"not-importable": () => ({
		status: 400,
		message: "Nothing was imported. See the problems below.",
	}),
	"changed-meanwhile": () => ({
		status: 409,
		message:
			"Something changed since this preview, so nothing was imported. Review the updated preview.",
	}),
	"possible-duplicates": () => ({
		status: 409,
		message:
			"Some of these fees were already added by hand or from another file. Select Import again to import them anyway.",
	}),
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message:
				"This form was already used to import another statement. Select Import again to import this one too.",
		},
	}),
});

export const whyNotUndone = answersIn<ReasonsOf<UndoRefusal>>({
	"not-found": () => ({ status: 404, message: "Import not found." }),
	"undone-already": () => ({ status: 409, message: "This import has already been undone." }),
	corrected: ({ by }) => ({
		status: 409,
		message: `${by} has replaced some of its amounts since. Undo that import first.`,
	}),
	"depended-on": () => ({
		status: 409,
		message:
			"A fee from this import was deleted and re-added since. Delete the re-added fee first.",
	}),
});

/** For a script's request with custom columns. */
export const whyNotByColumns = answersIn<ReasonsOf<ColumnsRefusal>>({
	"bad-file": ({ message }) => ({ status: 422, message }),
	"contradictory-dates": ({ message }) => ({ status: 422, message }),
	"unknown-columns": (_, reader) =>
		whyNotOpened({ reason: "unknown-file", details: { reason: UNKNOWN_COLUMNS } }, reader),
	expired: (details, reader) => whyNotOpened({ reason: "expired", details }, reader),
	contradicts: (details, reader) => whyNotOpened({ reason: "contradicts", details }, reader),
	"no-such-driver": (details, reader) =>
		whyNotOpened({ reason: "no-such-driver", details }, reader),
	ambiguous: (details, reader) => whyNotOpened({ reason: "ambiguous", details }, reader),
	"open-needs": ({ needs }) => ({
		status: 409,
		message:
			needs.map((need) => NEED_WORDS[need]).join(" ") || "Some of its rows can't be imported.",
	}),
	busy: () => ({
		status: 409,
		message: "This file is being imported by someone else right now. Try again.",
	}),
});

const UNKNOWN_COLUMNS =
	"Its column names are none of those in Uber's or Bolt's statements, and don't say where driver, category, amount and date are.";
const NEED_WORDS = {
	drivers: "Some drivers in it aren't matched to drivers in this fleet yet.",
	overlap: "Some of its fees were already added by hand or from another file. Import them anyway?",
} as const;
