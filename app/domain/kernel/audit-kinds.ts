/** Labels for the kinds of audit entries. */

type Kind = {
	/** Its label in the filter. */
	readonly label: string;
	/** The verb, before the object. */
	readonly verb: string;
	/** The text after the object. */
	readonly rest?: string;
	/** Whether the actor is also the subject, signed in or not. */
	readonly isOwn?: true;
};

/** By action, in the order of the filter. */
const kinds = {
	"request.submit": { label: "Fund request submitted", verb: "submitted" },
	"request.add-receipt": { label: "Receipt added to a fund request", verb: "added a receipt to" },
	"request.withdraw": { label: "Fund request withdrawn", verb: "withdrew" },
	"request.ask": { label: "Question about a fund request", verb: "asked about" },
	"request.answer": {
		label: "Answer about a fund request",
		verb: "answered a question about",
	},
	"request.approve": { label: "Fund request approved", verb: "approved" },
	"request.reject": { label: "Fund request rejected", verb: "rejected" },
	"request.undo": {
		label: "Fund request decision undone",
		verb: "undid the decision on",
	},
	"request.redate": {
		label: "Fund requests moved to a new time zone",
		verb: "moved",
		rest: "to a new time zone",
	},
	"request.reopen": { label: "Fund request reopened", verb: "reopened" },
	"payout.make": { label: "Payout created", verb: "created" },
	"payout.pay": { label: "Payout marked paid", verb: "marked", rest: "as paid" },
	"payout.cancel": { label: "Payout canceled", verb: "canceled" },
	"payout.reopen": { label: "Payout reopened", verb: "reopened" },
	"settlement.draft": { label: "Settlement drafted", verb: "drafted" },
	"settlement.publish": { label: "Settlement published", verb: "published" },
	"settlement.void": { label: "Settlement voided", verb: "voided" },
	"settlement.ask": { label: "Question about a settlement", verb: "asked about" },
	"settlement.answer": {
		label: "Answer about a settlement",
		verb: "answered a question about",
	},
	"books.difference": { label: "Books that don't balance", verb: "found a difference for" },
	"books.check": { label: "Books checked", verb: "checked" },
	"backup.export": { label: "Nightly export made", verb: "made" },
	"year.close": { label: "Year closed for trips", verb: "closed" },
	"year.archive": { label: "Year archived", verb: "archived" },
	"receipt.view": { label: "Receipt opened", verb: "opened" },
	"receipts.sweep": { label: "Unused receipt files deleted", verb: "deleted" },
	"mileage.log": { label: "Mileage logged", verb: "logged" },
	"mileage.void": { label: "Mileage log voided", verb: "voided" },
	"mileage.day-off": { label: "Day off noted", verb: "noted a day off", isOwn: true },
	"fee.add": { label: "Uber fee added", verb: "added" },
	"fee.delete": { label: "Uber fee deleted", verb: "deleted" },
	"fee.import": { label: "Fee statement imported", verb: "imported" },
	"fee.undo-import": { label: "Fee statement import undone", verb: "undid the import of" },
	"agreement.make": { label: "Agreement saved", verb: "saved" },
	"agreement.move": { label: "Agreement moved to the fleet's weeks", verb: "moved" },
	"charge.add": { label: "Charge added", verb: "added" },
	"charge.void": { label: "Charge voided", verb: "voided" },
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
	"profile.complete": { label: "Profile completed", verb: "completed their profile", isOwn: true },
	"driver.approve": { label: "Driver approved", verb: "approved", rest: "as a driver" },
	"driver.reject": { label: "Driver application rejected", verb: "rejected the application from" },
	"driver.pseudonymize": { label: "Former driver pseudonymized", verb: "pseudonymized" },
	"applicant.erase": { label: "Applicant erased", verb: "erased", rest: "after their application" },
	"invitation.erase": {
		label: "Canceled invitation erased",
		verb: "erased",
		rest: "after their invitation was canceled",
	},
	"audit.erase": {
		label: "Audit texts erased",
		verb: "erased the audit's texts about",
	},
	"driver.create": { label: "Driver created", verb: "created", rest: "as a driver" },
	"driver.rename": { label: "Driver's name corrected", verb: "corrected the name of" },
	"admin.create": { label: "Administrator created", verb: "created", rest: "as an administrator" },
	"viewer.create": { label: "Accountant created", verb: "created", rest: "as an accountant" },
	"user.activate": { label: "Account activated", verb: "activated" },
	"user.deactivate": { label: "Account deactivated", verb: "deactivated" },
	"user.change-role": { label: "Role changed", verb: "changed the role of" },
	"invitation.renew": { label: "Invitation resent", verb: "resent the invitation to" },
	"invitation.cancel": { label: "Invitation canceled", verb: "canceled the invitation for" },
	"invitation.claim": {
		label: "Invitation accepted",
		verb: "accepted the invitation",
		isOwn: true,
	},
	"session.start": { label: "Signed in", verb: "signed in", isOwn: true },
	"session.end-device": {
		label: "Signed out of another device",
		verb: "signed out of another device",
		isOwn: true,
	},
	"session.end-own": {
		label: "Signed out everywhere",
		verb: "signed out everywhere",
		isOwn: true,
	},
	"session.end": { label: "Signed out", verb: "signed out", isOwn: true },
	"email.send-again": { label: "Email resent", verb: "resent" },
	"request.export": { label: "Fund requests exported", verb: "exported fund requests as" },
	"mileage.export": { label: "Mileage report exported", verb: "exported the mileage report as" },
	"history.export": { label: "Driver's history exported", verb: "exported their history as" },
	"payouts.export": { label: "Payouts exported", verb: "exported payouts as" },
	"payout.export": { label: "Payout exported", verb: "exported a payout as" },
	"payout.statement": {
		label: "Driver's payout statement downloaded",
		verb: "downloaded the payout statement",
	},
	"settlement.statement": {
		label: "Settled week downloaded",
		verb: "downloaded the settled week",
	},
	"statement.export": {
		label: "Rows left out of a statement exported",
		verb: "exported the rows left out of a statement as",
	},
	"report.download": { label: "Report downloaded", verb: "downloaded the report" },
	"mileage-log.download": {
		label: "Annual mileage log downloaded",
		verb: "downloaded the mileage log",
	},
	"person.export": { label: "Personal data exported", verb: "exported all data of" },
	"token.make": { label: "Token created", verb: "created" },
	"token.revoke": { label: "Token revoked", verb: "revoked" },
	"webhook.add": { label: "Webhook added", verb: "added" },
	"webhook.choose-events": { label: "Webhook's events chosen", verb: "chose the events of" },
	"webhook.rotate-secret": { label: "Webhook's secret replaced", verb: "replaced the secret of" },
	"webhook.switch-on": { label: "Webhook switched on", verb: "switched on" },
	"webhook.switch-off": { label: "Webhook switched off", verb: "switched off" },
	"webhook.remove": { label: "Webhook removed", verb: "removed" },
	"webhook.test": { label: "Webhook tested", verb: "sent a test event to" },
	"webhook.deliver-again": { label: "Webhook's event sent again", verb: "sent again" },
	"settings.change": { label: "Settings changed", verb: "changed" },
	"account.choose-emails": {
		label: "Own reminders chosen",
		verb: "chose which reminders they get",
		isOwn: true,
	},
	"reminders.queue": { label: "Reminders sent", verb: "queued" },
	"year-summary.download": {
		label: "Driver's year summary downloaded",
		verb: "downloaded the year summary",
	},
	"session.end-all": { label: "All sessions ended", verb: "ended all sessions for" },
} as const satisfies Readonly<Record<string, Kind>>;
export type AuditAction = keyof typeof kinds;
export const KINDS: Readonly<Record<string, Kind>> = kinds;

/** Who acts without an account. */
export const SYSTEM_ACTORS: Readonly<Record<string, string>> = {
	"command line": "The command line",
	visitor: "A visitor",
};
