/**
 * The words of docs/product.md §8, letter by letter: the table below is written from that page, not
 * from the code.
 */
import { describe, expect, it } from "vitest";
import {
	DEACTIVATED,
	failureToast,
	NAMED_TOASTS,
	TOASTS,
	type Toast,
	withReason,
} from "./messages.ts";

describe("docs/product.md §8", () => {
	it.each([
		["unauthorized", "Unauthorized", "You are logged out. Logging in again..."],
		["accessDenied", "Access Denied", "Admin access required"],
		["profileUpdated", "Profile Updated", "Your profile has been completed successfully!"],
		["profileFailed", "Error", "Failed to update profile. Please try again."],
		["mileageLogged", "Success", "Mileage log created successfully"],
		["mileageFailed", "Error", "Failed to create mileage log"],
		[
			"driverApproved",
			"Driver Approved",
			"Driver has been successfully approved and assigned a driver ID",
		],
		["driverApprovalFailed", "Approval Failed", "Failed to approve driver. Please try again."],
		["driverRejected", "Driver Rejected", "Driver application has been rejected"],
		["driverCreated", "Driver Created", "New driver has been successfully created and approved"],
		["driverCreationFailed", "Creation Failed", "Failed to create driver. Please try again."],
		["adminCreationFailed", "Creation Failed", "Failed to create admin user. Please try again."],
	] as const)("%s says '%s' / '%s'", (name, title, text) => {
		expect(TOASTS[name]).toMatchObject({ title, text });
	});

	it("has the titles whose texts it leaves open", () => {
		expect(TOASTS.driverRejectionFailed.title).toBe("Rejection Failed");
		expect(NAMED_TOASTS.driverActivated("Nora Newcomer").title).toBe("Driver Status Updated");
		expect(failureToast("/drivers", "activate")?.title).toBe("Status Update Failed");
		expect(NAMED_TOASTS.driverDeactivated("Nora Newcomer").title).toBe("Driver Deleted");
		expect(failureToast("/drivers", "delete")?.title).toBe("Delete Failed");
		expect(NAMED_TOASTS.adminCreated("Nora Newcomer").title).toBe("Admin Created");
	});
});

describe("docs/product.md §8, where there is a title only", () => {
	it("names the person in one plain sentence", () => {
		expect(NAMED_TOASTS.driverDeactivated("Nora Newcomer").text).toBe(
			"Nora Newcomer has been deactivated.",
		);
		for (const [name, toast] of Object.entries(NAMED_TOASTS)) {
			const { title, text = "", detail = "" }: Toast = toast("Nora Newcomer");
			expect(`${title} ${text} ${detail}`, name).toContain("Nora Newcomer");
			expect(detail || text, name).toMatch(/\.$/);
		}
	});

	it("says the toast's own text first and the reason after it, as whole sentences", () => {
		expect(withReason(TOASTS.requestUpdateFailed, "Enter at most the $20.00 requested")).toEqual({
			title: "Error",
			text: "Failed to update fund request. Enter at most the $20.00 requested.",
			tone: "bad",
		});
		expect(NAMED_TOASTS.profileRefused("It has been reviewed.").text).toBe(
			"Failed to update profile. Please try again. It has been reviewed.",
		);
		expect(withReason(TOASTS.reportFailed, undefined)).toBe(TOASTS.reportFailed);
	});

	it("tells a deactivated person what to do", () => {
		expect(DEACTIVATED).toBe(
			"Your account has been deactivated. Contact your fleet administrator.",
		);
	});
});

describe("tones", () => {
	const isFailure = (title: string) => /Fail|Error|Denied|Unauthorized|No Selection/.test(title);
	it("are negative for what failed and never for what worked", () => {
		for (const [name, toast] of Object.entries(TOASTS))
			expect(toast.tone === "bad", name).toBe(isFailure(toast.title));
		for (const [name, toast] of Object.entries(NAMED_TOASTS))
			expect(toast("N").tone === "bad", name).toBe(isFailure(toast("N").title));
	});
});

describe("failureToast", () => {
	it.each([
		["/profile", "", "Failed to update profile. Please try again."],
		["/mileage", "", "Failed to create mileage log"],
		["/drivers", "approve", "Failed to approve driver. Please try again."],
		["/drivers", "add-driver", "Failed to create driver. Please try again."],
		["/drivers", "create-admin", "Failed to create admin user. Please try again."],
		["/drivers/:id", "approve", "Failed to approve driver. Please try again."],
		["/fund-requests", "undo-changed", "Failed to undo the decision"],
		["/fund-requests", "bulk-approve", "Failed to update fund request"],
		["/uber-fees/import", "upload", "Failed to import Uber fees"],
		["/uber-fees/import", "forget", "Failed to remove the driver"],
		["/settlements", "publish", "Failed to publish"],
		["/settlements/:id", "write", "Failed to send your answer"],
		["/earnings/:id", "write", "Failed to send the question"],
		["/settings/tokens", "", "Failed to create the token"],
		["/settings/tokens", "revoke", "Failed to revoke the token"],
		["/settings/webhooks", "", "Failed to save the webhook"],
		["/settings/webhooks", "send-again", "Failed to send the event again"],
		["/account", "", "Failed to save your choices"],
		["/account", "sign-out", "Failed to sign out. Please try again."],
		["/account", "sign-out-everywhere", "Failed to sign out. Please try again."],
	])("of a post to %s with intent '%s' says '%s'", (path, intent, text) => {
		expect(failureToast(path, intent)).toMatchObject({ text, tone: "bad" });
	});

	it("returns nothing for unknown names, even those every object has", () => {
		for (const intent of ["", "nonsense", "constructor", "toString", "__proto__"])
			expect(failureToast("/drivers", intent), intent).toBeUndefined();
		expect(failureToast("/nowhere", "approve")).toBeUndefined();
	});
});
