/** The texts of the toasts (docs/product.md §8), and messages that several places share. */

export type Toast = {
	readonly title: string;
	readonly text?: string;
	/** How many and how much. */
	readonly detail?: string;
	readonly tone: "good" | "bad" | "info";
};

const good = (title: string, text?: string): Toast => ({ title, text, tone: "good" });
const bad = (title: string, text?: string): Toast => ({ title, text, tone: "bad" });

/** Toasts with a fixed text. */
export const TOASTS = {
	unauthorized: bad("Unauthorized", "You are logged out. Logging in again..."),
	/** Where nothing signs in again by itself. */
	loggedOut: bad("Unauthorized", "You are logged out."),
	accessDenied: bad("Access Denied", "Admin access required"),
	profileUpdated: good("Profile Updated", "Your profile has been completed successfully!"),
	profileFailed: bad("Error", "Failed to update profile. Please try again."),
	mileageLogged: good("Success", "Mileage log created successfully"),
	mileageFailed: bad("Error", "Failed to create mileage log"),
	mileageCorrected: good("Success", "Mileage log corrected. The previous entry was voided."),
	mileageVoided: good("Entry voided", "It stays in the history but isn't counted."),
	dayOff: good("Day off", "If you drove that day after all, log it."),
	dayOffFailed: bad("Error", "Failed to note the day off"),
	mileageVoidFailed: bad("Error", "Failed to void the entry"),
	requestSubmitted: good("Success", "Fund request submitted successfully"),
	requestSubmittedWithoutReceipt: good(
		"Success",
		"Fund request submitted successfully. The receipt wasn't saved, but you can add it below.",
	),
	requestSubmittedWithOldReceipt: good(
		"Success",
		"Fund request submitted successfully. The new receipt wasn't saved, so it has the previous one.",
	),
	requestReplacedWithOldReceipt: good(
		"Success",
		"Fund request corrected. The new receipt wasn't saved, so it has the previous one.",
	),
	requestFailed: bad("Error", "Failed to submit fund request"),
	requestWithdrawn: good("Request withdrawn", "It won't be reviewed."),
	requestReplaced: good("Success", "Fund request corrected. The previous one was withdrawn."),
	requestWithdrawFailed: bad("Error", "Failed to withdraw the request"),
	receiptAdded: good("Success", "Receipt added"),
	receiptFailed: bad("Error", "Failed to save the receipt"),
	requestUpdated: good("Success", "Fund request updated successfully"),
	requestUpdateFailed: bad("Error", "Failed to update fund request"),
	requestReopened: good("Request reopened", "It's pending again. The driver will get an email."),
	requestReopenFailed: bad("Error", "Failed to reopen the request"),
	questionSent: good("Question sent", "The request stays pending. The driver will get an email."),
	questionFailed: bad("Error", "Failed to send the question"),
	answerSent: good("Answer sent", "The person who asked will get an email."),
	answerFailed: bad("Error", "Failed to send your answer"),
	weekQuestionSent: good("Question sent", "You'll get an email when it's answered."),
	weekAnswerSent: good("Answer sent", "The driver will get an email."),
	requestUndoFailed: bad("Error", "Failed to undo the decision"),
	requestUndone: good("Decision undone", "The request is pending again."),
	payoutFailed: bad("Error", "Failed to create the payout"),
	payoutPaid: good("Payout paid", "Its drivers will get an email in 10 minutes."),
	payoutPayFailed: bad("Error", "Failed to mark the payout as paid"),
	payoutCancelled: good("Payout canceled", "Everything in it is unpaid again."),
	payoutCancelFailed: bad("Error", "Failed to cancel the payout"),
	payoutReopened: good("Payout reopened", "Nothing in it is counted as paid."),
	payoutReopenFailed: bad("Error", "Failed to reopen the payout"),
	noDraftsMade: good("No new drafts", "No one else has anything due in this week."),
	draftsFailed: bad("Error", "Failed to make the drafts"),
	settlementsFailed: bad("Error", "Failed to publish"),
	settlementVoidFailed: bad("Error", "Failed to void the settlement"),
	feeAdded: good("Success", "Uber fee added successfully"),
	feeReplaced: good("Success", "Uber fee added successfully. The previous one was deleted."),
	feeReceivedBefore: good(
		"Already received",
		"This Uber fee was added the first time you sent it.",
	),
	feeFailed: bad("Error", "Failed to add Uber fee"),
	feeDeleted: good("Success", "Uber fee deleted successfully"),
	feesThere: good("Already imported", "Everything in this statement has already been imported."),
	feeImportFailed: bad("Error", "Failed to import Uber fees"),
	feeImportUndone: good("Import undone", "What this statement added was deleted."),
	platformDriverForgotten: good("Removed", "The next statement will ask whose ID this is."),
	platformDriverForgetFailed: bad("Error", "Failed to remove the driver"),
	feeImportUndoFailed: bad("Error", "Failed to undo the import"),
	feeDeletionFailed: bad("Error", "Failed to delete Uber fee"),
	reportGenerated: good("Success", "Report generated and downloaded successfully"),
	reportFailed: bad("Error", "Failed to generate report"),
	applicantErased: good("Applicant Erased", "Nothing is left of the application."),
	settingsSaved: good("Settings saved", "They apply from now on."),
	tokenMade: good("Token created", "Copy it now. It isn't shown again."),
	tokenFailed: bad("Error", "Failed to create the token"),
	tokenRevocationFailed: bad("Error", "Failed to revoke the token"),
	agreementMade: good("Agreement saved", "It applies from its first week on."),
	chargeAdded: good("Charge added", "It counts from the week of its date."),
	chargeRemoved: good("Charge removed", "It isn't counted in any settlement."),
	webhookAdded: good("Webhook added", "Copy its secret now. It isn't shown again."),
	webhookSecretReplaced: good("Secret replaced", "Copy the new one now. It isn't shown again."),
	webhookFailed: bad("Error", "Failed to save the webhook"),
	deliveryQueued: good("Success", "The event will be sent again within a minute."),
	deliveryFailed: bad("Error", "Failed to send the event again"),
	setupDismissed: good("Setup list dismissed", "You can show it again under Settings."),
	setupListed: good("Setup list shown", "The overview lists what's left."),
	settingsFailed: bad("Error", "Failed to save the settings"),
	emailsChosen: good("Choices saved", "They apply from the next reminder."),
	deviceSignedOut: good("Signed out", "That device has to sign in again."),
	emailsFailed: bad("Error", "Failed to save your choices"),
	signOutFailed: bad("Error", "Failed to sign out. Please try again."),
	mailQueued: good("Success", "The email will be resent."),
	mailFailed: bad("Error", "Failed to resend the email"),
	mailsQueued: good("Success", "The emails will be resent, the oldest 500 first."),
	mailsSent: good("Nothing to resend", "No email that failed can be resent."),
	nothingSelected: bad("No Selection", "Please select requests to approve"),
	driverApproved: good(
		"Driver Approved",
		"Driver has been successfully approved and assigned a driver ID",
	),
	driverApprovalFailed: bad("Approval Failed", "Failed to approve driver. Please try again."),
	driverRejected: good("Driver Rejected", "Driver application has been rejected"),
	driverRejectionFailed: bad("Rejection Failed", "The application couldn't be rejected."),
	driverCreated: good("Driver Created", "New driver has been successfully created and approved"),
	driverCreationFailed: bad("Creation Failed", "Failed to create driver. Please try again."),
	adminCreationFailed: bad("Creation Failed", "Failed to create admin user. Please try again."),
} as const;

export type ToastName = keyof typeof TOASTS;

const ONCE = "It was saved the first time you sent it. Nothing new was added.";

/**
 * Toasts that name a person or a request, or a number. Where docs/product.md §8 has a title only,
 * one plain sentence follows it.
 */
export const NAMED_TOASTS = {
	profileRefused: (reason: string) => withReason(TOASTS.profileFailed, reason),
	driverActivated: (name: string) => good("Driver Status Updated", `${name} has been activated.`),
	driverDeactivated: (name: string) => good("Driver Deleted", `${name} has been deactivated.`),
	driversInvited: (names: string) => good("Drivers Invited", `Invited: ${names}.`),
	adminCreated: (name: string) =>
		good("Admin Created", `${name} has been invited as an administrator.`),
	adminDeactivated: (name: string) =>
		good("Administrator Deactivated", `${name} has been deactivated.`),
	adminActivated: (name: string) => good("Administrator Activated", `${name} has been activated.`),
	viewerCreated: (name: string) =>
		good("Accountant Created", `${name} has been invited as an accountant.`),
	viewerDeactivated: (name: string) =>
		good("Accountant Deactivated", `${name} has been deactivated.`),
	viewerActivated: (name: string) => good("Accountant Activated", `${name} has been activated.`),
	invitationRenewed: (name: string) => good("Invitation Sent", `${name} has a new invitation.`),
	invitationCancelled: (name: string) =>
		good("Invitation Canceled", `${name} can no longer use the invitation.`),
	receivedBefore: (what: string) => good(`Already received: ${what}`, ONCE),
	feesImported: (added: string) => good("Success", `${added} imported successfully.`),
	requestDecided: (words: string) => ({ ...TOASTS.requestUpdated, detail: `${words}.` }),
	requestsApproved: (figures: string) => ({ ...TOASTS.requestUpdated, detail: `${figures}.` }),
	requestsUndone: (figures: string) => good("Decisions undone", `${figures} pending again.`),
	payoutCreated: (number: string) =>
		good("Payout created", `${number} is open. Mark it as paid once the money has left.`),
	draftsMade: (drafts: string) => good("Drafts made", `${drafts} to check.`),
	settlementsPublished: (figures: string) => good("Published", `${figures}.`),
	settlementVoided: (number: string) =>
		good("Settlement voided", `${number} is void. Its week can be drafted again.`),
	tokenRevoked: (name: string) => good("Token revoked", `${name} no longer works.`),
	webhookEventsChosen: (name: string) =>
		good("Events saved", `${name} will receive these from now on.`),
	webhookOn: (name: string) =>
		good("Webhook switched on", `${name} will receive events from now on.`),
	webhookOff: (name: string) => good("Webhook switched off", `${name} receives no events for now.`),
	webhookRemoved: (name: string) => good("Webhook removed", `${name} no longer receives events.`),
	webhookTested: (name: string) =>
		good("Test event queued", `It will be sent to ${name} within a minute.`),
	driverPseudonymized: (name: string) =>
		good("Driver Pseudonymized", `Their records are now kept as ${name}.`),
	driverRenamed: (name: string) => good("Name Corrected", `The driver's name is now ${name}.`),
} as const;

export type NamedToastName = keyof typeof NAMED_TOASTS;

const toSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * The toast of a change that wasn't made: its own text first, then the reason.
 * @param reason a plain sentence, which may lack its period
 */
export function withReason(toast: Toast, reason: string | undefined): Toast {
	if (!reason) return toast;
	return {
		...toast,
		text: [toast.text, reason]
			.flatMap((each) => each ?? [])
			.map(toSentence)
			.join(" "),
	};
}

/** The toast of a post that failed through no fault of its sender. */
export function failureToast(path: string, intent: string): Toast | undefined {
	if (path === "/drivers" || path === "/drivers/:id") return driverFailure(intent);
	const toasts = Object.hasOwn(FAILURES, path) ? FAILURES[path] : undefined;
	return toasts && (Object.hasOwn(toasts, intent) ? toasts[intent] : toasts.other);
}

const SETTLEMENT_FAILURES = {
	draft: TOASTS.draftsFailed,
	publish: TOASTS.settlementsFailed,
	void: TOASTS.settlementVoidFailed,
	write: TOASTS.answerFailed,
};

/** By path and intent; `other` is of any other intent. */
const FAILURES: Readonly<Record<string, Readonly<Record<string, Toast>>>> = {
	"/profile": { other: TOASTS.profileFailed },
	"/mileage": {
		"day-off": TOASTS.dayOffFailed,
		void: TOASTS.mileageVoidFailed,
		other: TOASTS.mileageFailed,
	},
	"/requests": {
		withdraw: TOASTS.requestWithdrawFailed,
		"add-receipt": TOASTS.receiptFailed,
		answer: TOASTS.answerFailed,
		other: TOASTS.requestFailed,
	},
	"/earnings/:id": { write: TOASTS.questionFailed },
	"/fund-requests": {
		undo: TOASTS.requestUndoFailed,
		"undo-changed": TOASTS.requestUndoFailed,
		reopen: TOASTS.requestReopenFailed,
		ask: TOASTS.questionFailed,
		other: TOASTS.requestUpdateFailed,
	},
	"/payouts": { other: TOASTS.payoutFailed },
	"/payouts/:id": {
		pay: TOASTS.payoutPayFailed,
		cancel: TOASTS.payoutCancelFailed,
		reopen: TOASTS.payoutReopenFailed,
	},
	"/settlements": SETTLEMENT_FAILURES,
	"/settlements/:id": SETTLEMENT_FAILURES,
	"/mileage-reports": { other: TOASTS.mileageVoidFailed },
	"/uber-fees": { delete: TOASTS.feeDeletionFailed, other: TOASTS.feeFailed },
	"/uber-fees/import": {
		undo: TOASTS.feeImportUndoFailed,
		forget: TOASTS.platformDriverForgetFailed,
		other: TOASTS.feeImportFailed,
	},
	"/settings": { other: TOASTS.settingsFailed },
	"/settings/tokens": { revoke: TOASTS.tokenRevocationFailed, other: TOASTS.tokenFailed },
	"/settings/webhooks": { "send-again": TOASTS.deliveryFailed, other: TOASTS.webhookFailed },
	"/account": {
		"sign-out": TOASTS.signOutFailed,
		"sign-out-everywhere": TOASTS.signOutFailed,
		other: TOASTS.emailsFailed,
	},
	"/email": { other: TOASTS.mailFailed },
};

/**
 * The toast of a change to a person that was not made.
 * @param reason a plain sentence, added to the toast's own text if it has one
 */
export function driverFailure(intent: string, reason?: string): Toast | undefined {
	const toast = Object.hasOwn(DRIVER_FAILURES, intent) ? DRIVER_FAILURES[intent] : undefined;
	return toast && withReason(toast, reason || (toast.text ? undefined : "Please try again."));
}

const DRIVER_FAILURES: Readonly<Record<string, Toast>> = {
	approve: TOASTS.driverApprovalFailed,
	reject: TOASTS.driverRejectionFailed,
	"add-driver": TOASTS.driverCreationFailed,
	"add-many": bad("Invitations Not Sent"),
	"create-admin": TOASTS.adminCreationFailed,
	activate: bad("Status Update Failed"),
	deactivate: bad("Status Update Failed"),
	delete: bad("Delete Failed"),
	rename: bad("Rename Failed"),
	renew: bad("Invitation Not Sent"),
	cancel: bad("Cancellation Failed"),
	pseudonymize: bad("Not Pseudonymized"),
	forget: bad("Not Removed"),
	agreement: bad("No Agreement Made"),
	charge: bad("Charge Not Added"),
	"remove-charge": bad("Charge Not Removed"),
};

export const DEACTIVATED = "Your account has been deactivated. Contact your fleet administrator.";
export const UNAVAILABLE =
	"Milepost can't reach its database right now. Nothing was changed. Please try again in a moment.";
export const TOO_MANY_STATEMENTS =
	"Too many statements in the last minute. This one wasn't read. Please try again in a minute.";
export const ARCHIVE_UNAVAILABLE =
	"Trips of closed years can't be read right now. Nothing was changed. Choose later dates, or try again in a moment.";
export const EMAIL_TAKEN = "You can't sign in with this account. Contact your fleet administrator.";

export const OTHER_ACCOUNT =
	"This form was filled out under a different account, so nothing was saved. Sign in with that account to submit it.";

/** When no one can sign in until the operator has mended the providers' settings. */
export const SIGN_IN_NOT_SET_UP = "Sign-in isn't set up correctly. Tell your administrator.";
