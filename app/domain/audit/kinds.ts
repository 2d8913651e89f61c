/** Labels for the kinds of audit entries. */

type Kind = {
	/** What the filter calls it. */
	readonly label: string;
	/** The verb, before the object. */
	readonly verb: string;
	/** The text after the object. */
	readonly rest?: string;
	/** The actor is also the subject, signed in or not. */
	readonly isOwn?: true;
};

/** By action, in the order of the filter. */
export const KINDS: Readonly<Record<string, Kind>> = {
	"request.submit": { label: "Fund request submitted", verb: "submitted" },
	"request.add-receipt": { label: "Receipt added to a fund request", verb: "added a receipt to" },
	"request.withdraw": { label: "Fund request withdrawn", verb: "withdrew" },
	"request.approve": { label: "Fund request approved", verb: "approved" },
	"request.reject": { label: "Fund request rejected", verb: "rejected" },
	"request.undo": {
		label: "Decision on a fund request taken back",
		verb: "took back the decision on",
	},
	"request.redate": {
		label: "Fund requests dated in another time zone",
		verb: "dated",
		rest: "in another time zone",
	},
	"request.reopen": { label: "Fund request reopened", verb: "reopened" },
	"receipt.view": { label: "Receipt opened", verb: "opened" },
	"receipts.sweep": { label: "Unused receipt files deleted", verb: "deleted" },
	"mileage.log": { label: "Mileage logged", verb: "logged" },
	"mileage.void": { label: "Mileage log voided", verb: "voided" },
	"fee.add": { label: "Uber fee added", verb: "added" },
	"fee.delete": { label: "Uber fee deleted", verb: "deleted" },
	"fee.import": { label: "Fee statement imported", verb: "imported" },
	"fee.undo-import": { label: "Fee statement import undone", verb: "undid the import of" },
	"alias.add": {
		label: "Platform's driver remembered",
		verb: "remembered",
	},
	"alias.remove": { label: "Platform's driver forgotten", verb: "forgot" },
	"driver.join": {
		label: "New driver signed in for the first time",
		verb: "signed in for the first time",
		isOwn: true,
	},
	"profile.complete": { label: "Profile completed", verb: "completed the profile", isOwn: true },
	"driver.approve": { label: "Driver approved", verb: "approved", rest: "as a driver" },
	"driver.reject": { label: "Driver application rejected", verb: "rejected the application of" },
	"driver.create": { label: "Driver created", verb: "created", rest: "as a driver" },
	"driver.rename": { label: "Driver's name corrected", verb: "corrected the name of" },
	"admin.create": { label: "Administrator created", verb: "created", rest: "as an administrator" },
	"user.activate": { label: "Account activated", verb: "activated" },
	"user.deactivate": { label: "Account deactivated", verb: "deactivated" },
	"user.change-role": { label: "Role changed", verb: "changed the role of" },
	"invitation.renew": { label: "Invitation sent again", verb: "sent the invitation again to" },
	"invitation.cancel": { label: "Invitation cancelled", verb: "cancelled the invitation of" },
	"invitation.claim": { label: "Invitation used", verb: "used the invitation", isOwn: true },
	"session.start": { label: "Signed in", verb: "signed in", isOwn: true },
	"session.end": { label: "Signed out", verb: "signed out", isOwn: true },
	"email.send-again": { label: "Email queued again", verb: "queued", rest: "again" },
	"request.export": { label: "Fund requests exported", verb: "exported fund requests to" },
	"mileage.export": { label: "Mileage report exported", verb: "exported the mileage report to" },
	"statement.export": {
		label: "Rows left out of a statement exported",
		verb: "exported what was left out of a statement to",
	},
	"history.export": { label: "Driver's history exported", verb: "exported their history to" },
	"report.download": { label: "Report downloaded", verb: "downloaded the report" },
	"mileage-log.download": {
		label: "Mileage log of a year downloaded",
		verb: "downloaded the mileage log",
	},
	"session.end-all": { label: "All sessions ended", verb: "ended every session of" },
};

/** Who acts without an account. */
export const SYSTEM_ACTORS: Readonly<Record<string, string>> = {
	"command line": "The command line",
	visitor: "A visitor",
};
