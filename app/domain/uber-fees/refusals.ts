/** The messages when an Uber fee isn't added or deleted. */
import { KEY_REUSED } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { NO_SUCH_DRIVER } from "../people/rules.ts";
import type { AddRefusal } from "./commands/add.server.ts";
import type { DeleteRefusal } from "./commands/delete.server.ts";

export const whyNotAdded = answersIn<ReasonsOf<AddRefusal>>({
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message:
				"You've already submitted this form with different values, and that fee was added. Select Add Uber Fee again to add this one too.",
		},
	}),
	"no-such-driver": () => ({ status: 400, message: NO_SUCH_DRIVER, field: "driverId" }),
	"not-to-replace": () => ({
		status: 409,
		message: "The fee you're replacing has been deleted",
		onForm: {
			message:
				"The fee you're replacing has been deleted. Select Add Uber Fee to add this one as a new fee.",
		},
	}),
});

export const whyNotDeleted = answersIn<ReasonsOf<DeleteRefusal>>({
	"not-found": () => ({
		status: 404,
		message: "Uber fee not found",
		onForm: { message: "Uber fee not found." },
	}),
});
