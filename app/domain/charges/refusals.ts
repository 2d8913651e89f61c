/** The messages when a charge isn't added or voided. */
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { NO_SUCH_DRIVER } from "../people/rules.ts";
import type { AddChargeRefusal } from "./commands/add.server.ts";
import type { VoidChargeRefusal } from "./commands/void.server.ts";

export const whyNotAdded = answersIn<ReasonsOf<AddChargeRefusal>>({
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: { status: 409, message: SENT_WITH_OTHER_VALUES },
	}),
	"no-such-driver": () => ({ status: 400, message: NO_SUCH_DRIVER, field: "driverId" }),
});

export const whyNotVoided = answersIn<ReasonsOf<VoidChargeRefusal>>({
	"not-found": () => ({
		status: 404,
		message: "Charge not found",
		onForm: { message: "Charge not found." },
	}),
	settled: () => ({
		status: 409,
		message:
			"A published settlement has part of this charge. Add one in the other direction instead.",
	}),
});
