/** What an administrator is told when an Uber fee isn't added or deleted. */
import { KEY_REUSED } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../refusal-table.ts";
import type { AddRefusal } from "./commands/add.server.ts";
import type { DeleteRefusal } from "./commands/delete.server.ts";
import { NO_SUCH_DRIVER } from "./rules.ts";

export const whyNotAdded = answersIn<ReasonsOf<AddRefusal>>({
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message:
				"You have already sent this form with other values, and that fee is added. Press Add Uber Fee to add this one as well.",
		},
	}),
	"no-such-driver": () => ({ status: 400, message: NO_SUCH_DRIVER, field: "driverId" }),
	"not-to-replace": () => ({
		status: 409,
		message: "The fee that this one was to replace was deleted meanwhile",
		onForm: {
			message:
				"The fee that this one was to replace was deleted meanwhile. Press Add Uber Fee to add this one as a new fee.",
		},
	}),
});

export const whyNotDeleted = answersIn<ReasonsOf<DeleteRefusal>>({
	"not-found": () => ({
		status: 404,
		message: "There is no such Uber fee",
		onForm: { message: "There is no such Uber fee." },
	}),
});
