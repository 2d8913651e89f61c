/** What an administrator is told when a statement isn't imported, or its import isn't undone. */
import { KEY_REUSED } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../refusal-table.ts";
import type { ImportRefusal } from "./commands/import.server.ts";
import type { UndoRefusal } from "./commands/undo-import.server.ts";

export const whyNotImported = answersIn<ReasonsOf<ImportRefusal>>({
	"bad-file": ({ message }) => ({ status: 400, message }),
	"not-importable": () => ({
		status: 400,
		message: "Nothing was imported: see what is said below.",
	}),
	"changed-meanwhile": () => ({
		status: 409,
		message:
			"Something changed while you looked at this, so nothing was imported. Please look again.",
	}),
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message:
				"This form has imported another statement before. Press Import to import this one as well.",
		},
	}),
});

export const whyNotUndone = answersIn<ReasonsOf<UndoRefusal>>({
	"not-found": () => ({ status: 404, message: "There is no such import." }),
	"undone-already": () => ({ status: 409, message: "This import was undone before." }),
	"depended-on": () => ({
		status: 409,
		message:
			"A fee of this import was deleted and added again since. Delete the one that took its place first.",
	}),
});
