/** The words of the toasts (docs/product.md §8), and the sentences that several places say. */

export type Toast = {
	readonly title: string;
	readonly text?: string;
	/** How many and how much. */
	readonly detail?: string;
	readonly tone: "good" | "bad" | "info";
};

const good = (title: string, text?: string): Toast => ({ title, text, tone: "good" });
const bad = (title: string, text?: string): Toast => ({ title, text, tone: "bad" });

/** Toasts whose words never change. */
export const TOASTS = {
	unauthorized: bad("Unauthorized", "You are logged out. Logging in again..."),
	accessDenied: bad("Access Denied", "Admin access required"),
	profileUpdated: good("Profile Updated", "Your profile has been completed successfully!"),
	profileFailed: bad("Error", "Failed to update profile. Please try again."),
	mileageLogged: good("Success", "Mileage log created successfully"),
	mileageFailed: bad("Error", "Failed to create mileage log"),
	mileageCorrected: good("Success", "Mileage log corrected. The earlier entry is voided."),
	mileageVoided: good("Entry voided", "It stays visible and no longer counts."),
	mileageVoidFailed: bad("Error", "Failed to void the entry"),
	requestSubmitted: good("Success", "Fund request submitted successfully"),
	requestSubmittedWithoutReceipt: good(
		"Success",
		"Fund request submitted successfully. The receipt was not stored: you can add it below.",
	),
	requestFailed: bad("Error", "Failed to submit fund request"),
	requestWithdrawn: good("Request withdrawn", "It will not be decided."),
	requestReplaced: good("Success", "Fund request corrected. The earlier one is withdrawn."),
	requestWithdrawFailed: bad("Error", "Failed to withdraw the request"),
	receiptAdded: good("Success", "Receipt added"),
	receiptFailed: bad("Error", "Failed to store the receipt"),
	requestUpdated: good("Success", "Fund request updated successfully"),
	requestUpdateFailed: bad("Error", "Failed to update fund request"),
	requestReopened: good("Request reopened", "It is pending again, and the driver is emailed."),
	requestReopenFailed: bad("Error", "Failed to reopen the request"),
	requestUndoFailed: bad("Error", "Failed to take the decision back"),
	requestUndone: good("Decision taken back", "The request is pending again."),
	feeAdded: good("Success", "Uber fee added successfully"),
	feeReplaced: good("Success", "Uber fee added successfully. The earlier one is deleted."),
	feeReceivedBefore: good("Already received", "This Uber fee was added when you first sent it."),
	feeFailed: bad("Error", "Failed to add Uber fee"),
	feeDeleted: good("Success", "Uber fee deleted successfully"),
	feeImportFailed: bad("Error", "Failed to import Uber fees"),
	feeImportUndone: good("Import undone", "The fees of this statement are deleted again."),
	platformDriverForgotten: good("Removed", "The next statement asks who this driver is."),
	feeImportUndoFailed: bad("Error", "Failed to undo the import"),
	feeDeletionFailed: bad("Error", "Failed to delete Uber fee"),
	reportGenerated: good("Success", "Report generated and downloaded successfully"),
	reportFailed: bad("Error", "Failed to generate report"),
	mailQueued: good("Success", "The mail will be sent again."),
	mailFailed: bad("Error", "Failed to send the mail again"),
	nothingSelected: bad("No Selection", "Please select requests to approve"),
	driverApproved: good(
		"Driver Approved",
		"Driver has been successfully approved and assigned a driver ID",
	),
	driverApprovalFailed: bad("Approval Failed", "Failed to approve driver. Please try again."),
	driverRejected: good("Driver Rejected", "Driver application has been rejected"),
	driverRejectionFailed: bad("Rejection Failed", "The application could not be rejected."),
	driverCreated: good("Driver Created", "New driver has been successfully created and approved"),
	driverCreationFailed: bad("Creation Failed", "Failed to create driver. Please try again."),
	adminCreationFailed: bad("Creation Failed", "Failed to create admin user. Please try again."),
} as const;

export type ToastName = keyof typeof TOASTS;

const ONCE = "It was stored when you first sent it. Nothing was added now.";

/**
 * Toasts that name a person or a request, or say how many. Where docs/product.md §8 has a title
 * only, one plain sentence follows it.
 */
export const NAMED_TOASTS = {
	driverActivated: (name: string) => good("Driver Status Updated", `${name} has been activated.`),
	driverDeactivated: (name: string) => good("Driver Deleted", `${name} has been deactivated.`),
	adminCreated: (name: string) =>
		good("Admin Created", `${name} has been invited as an administrator.`),
	adminDeactivated: (name: string) =>
		good("Administrator Deactivated", `${name} has been deactivated.`),
	adminActivated: (name: string) => good("Administrator Activated", `${name} has been activated.`),
	invitationRenewed: (name: string) => good("Invitation Sent", `${name} has a new invitation.`),
	invitationCancelled: (name: string) =>
		good("Invitation Cancelled", `${name} can no longer use the invitation.`),
	requestReceivedBefore: (request: string) => good(`Already received: ${request}`, ONCE),
	mileageReceivedBefore: (trip: string) => good(`Already received: ${trip}`, ONCE),
	feesImported: (fees: string) => good("Success", `${fees} imported successfully.`),
	feesImportedBefore: (fees: string) =>
		good("Already received", `${fees} of this statement were imported when you first sent it.`),
	requestsApproved: (figures: string) => ({ ...TOASTS.requestUpdated, detail: `${figures}.` }),
	requestsUndone: (figures: string) => good("Decisions taken back", `${figures} pending again.`),
	driverRenamed: (name: string) => good("Name Corrected", `The driver's name is now ${name}.`),
} as const;

export type NamedToastName = keyof typeof NAMED_TOASTS;

/** The toast of a post that failed for no fault of its sender. */
export function failureToast(path: string, intent: string): Toast | undefined {
	if (path === "/profile") return TOASTS.profileFailed;
	if (path === "/mileage")
		return intent === "void" ? TOASTS.mileageVoidFailed : TOASTS.mileageFailed;
	if (path === "/requests")
		return (
			(Object.hasOwn(REQUEST_FAILURES, intent) && REQUEST_FAILURES[intent]) || TOASTS.requestFailed
		);
	if (path === "/fund-requests")
		return (
			(Object.hasOwn(DECISION_FAILURES, intent) && DECISION_FAILURES[intent]) ||
			TOASTS.requestUpdateFailed
		);
	if (path === "/mileage-reports") return TOASTS.mileageVoidFailed;
	if (path === "/uber-fees")
		return intent === "delete" ? TOASTS.feeDeletionFailed : TOASTS.feeFailed;
	if (path === "/uber-fees/import")
		return intent === "undo" ? TOASTS.feeImportUndoFailed : TOASTS.feeImportFailed;
	if (path === "/outbox") return TOASTS.mailFailed;
	if (path === "/drivers") return driverFailure(intent);
	return undefined;
}

const DECISION_FAILURES: Readonly<Record<string, Toast>> = {
	undo: TOASTS.requestUndoFailed,
	reopen: TOASTS.requestReopenFailed,
};

const REQUEST_FAILURES: Readonly<Record<string, Toast>> = {
	withdraw: TOASTS.requestWithdrawFailed,
	"add-receipt": TOASTS.receiptFailed,
};

/**
 * The toast of a change to a person that was not made.
 * @param reason a plain sentence, said after the toast's own text where it has one
 */
export function driverFailure(intent: string, reason?: string): Toast | undefined {
	const toast = Object.hasOwn(DRIVER_FAILURES, intent) ? DRIVER_FAILURES[intent] : undefined;
	return (
		toast && {
			...toast,
			text: [toast.text, reason].filter(Boolean).join(" ") || "Please try again.",
		}
	);
}

const DRIVER_FAILURES: Readonly<Record<string, Toast>> = {
	approve: TOASTS.driverApprovalFailed,
	reject: TOASTS.driverRejectionFailed,
	"add-driver": TOASTS.driverCreationFailed,
	"create-admin": TOASTS.adminCreationFailed,
	activate: bad("Status Update Failed"),
	deactivate: bad("Status Update Failed"),
	delete: bad("Delete Failed"),
	rename: bad("Rename Failed"),
	renew: bad("Invitation Not Sent"),
	cancel: bad("Cancellation Failed"),
};

export const DEACTIVATED = "Your account has been deactivated. Contact your fleet administrator.";
export const UNAVAILABLE =
	"Milepost cannot reach its database right now. Nothing was changed. Please try again in a moment.";
export const EMAIL_TAKEN = "This account cannot be used to sign in. Ask your fleet administrator.";

export const OTHER_ACCOUNT =
	"This form was filled in under another account, so nothing was saved. Sign in with that account to send it.";
