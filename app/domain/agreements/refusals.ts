/** The messages when an agreement isn't made. */
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { displayName, NO_SUCH_DRIVER } from "../people/rules.ts";
import type { MakeAgreementRefusal } from "./commands/make.server.ts";
import { describeAgreement } from "./sentence.ts";

export const whyNotMade = answersIn<ReasonsOf<MakeAgreementRefusal>>({
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: { status: 409, message: SENT_WITH_OTHER_VALUES },
	}),
	"made-since": ({ agreement, driver }) => ({
		status: 409,
		message: `Another agreement was saved since you opened this form: ${describeAgreement(driver.firstName || displayName(driver), agreement)} Save yours again if it is to follow that one.`,
	}),
	"no-first-day": () => ({
		status: 409,
		message: "Weeks now start on another day. Choose the start again.",
		field: "from",
	}),
	"no-such-driver": () => ({ status: 400, message: NO_SUCH_DRIVER, field: "driverId" }),
});
