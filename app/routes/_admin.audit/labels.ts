/** What the audit calls the values that changed. */
import { SETTING_FIELDS } from "../../domain/settings/fields.ts";
import { inUnits } from "../../values/fleet-units.ts";

/** Names that differ from those in the code; a setting is called what its form calls it. */
const LABELS: Readonly<Record<string, string>> = {
	amountCents: "Amount",
	approvedAmountCents: "Approved amount",
	approvedCents: "Approved",
	paidCents: "Paid",
	unpaidCents: "Unpaid",
	settledCents: "Settled",
	settledPaidCents: "Settled and paid",
	carriedCents: "Carried",
	settledUnpaidCents: "Settled and unpaid",
	date: "Date",
	start: "Starting odometer",
	end: "Ending odometer",
	personal: "Personal miles",
	spentOn: "Spent on",
	referenceNumber: "Reference number",
	adminNotes: "Note",
	approvalStatus: "Application",
	driverNumber: "Driver ID",
	isActive: "Active",
	inviteExpiresAt: "Invitation expires",
	faresPercent: "Fares (%)",
	tipsPercent: "Tips (%)",
	promotionsPercent: "Promotions (%)",
	fleetPercent: "Fleet's share (%)",
	weeklyRentCents: "Weekly rent",
	weeklyFeeCents: "Weekly fee",
	perMileMills: "Rate per business mile",
	thresholdMiles: "Miles at that rate",
	thereafterMills: "Rate beyond that",
	deletedAt: "Deleted",
	voidedAt: "Voided",
	undoneAt: "Undone",
	issuer: "Signed in with",
	email: "Email",
	url: "URL",
	firstName: "First name",
	lastName: "Last name",
	fileName: "File",
	rowCount: "Fees",
	moneyRows: "Rows with drivers' money",
	skipped: "Skipped",
	objects: "Files",
	timeZone: "Time zone",
	remindOfMiles: "Reminder about miles",
	remindOfReceipts: "Reminder about receipts",
	keepDriverYears: "Keep driver years",
	setupDismissed: "Setup list dismissed",
	platformDriver: "Platform's id",
	nameThere: "Name on the platform",
	removedAt: "Removed",
};

/** A value's label. */
export const labelOf = (name: string) =>
	(LABELS[name] && inUnits(LABELS[name])) ??
	SETTING_FIELDS[name]?.label ??
	name
		.replace(/([A-Z])/g, " $1")
		.toLowerCase()
		.replace(/^./, (first) => first.toUpperCase());
