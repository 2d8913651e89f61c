import { expect, it } from "vitest";
import { standingOf } from "./standing.ts";

type User = Parameters<typeof standingOf>[0];
const driver: User = {
	...{ role: "driver", isViewer: null, firstName: "Dana", lastName: "Driver" },
	approvalStatus: "approved",
	...{ isActive: true, invitedAt: null, claimedAt: null },
	...{ deletedAt: null, pseudonymizedAt: null },
};

it.each<[Partial<User>, string]>([
	[{}, "Active"],
	[{ invitedAt: 1 }, "Invited"],
	[{ invitedAt: 1, claimedAt: 2 }, "Active"],
	[{ isActive: false }, "Inactive"],
	[{ approvalStatus: "pending" }, "Pending approval"],
	// Nobody can decide about them yet.
	[{ approvalStatus: "pending", lastName: "" }, "Profile not completed"],
	[{ approvalStatus: "pending", firstName: "", lastName: "" }, "Profile not completed"],
	[{ approvalStatus: "rejected" }, "Rejected"],
	[{ role: "admin" }, "Administrator"],
	[{ role: "none", isViewer: true }, "Accountant"],
	[{ deletedAt: 1, isActive: false, invitedAt: 1 }, "Invitation canceled"],
	[{ deletedAt: 1, isActive: false, pseudonymizedAt: 1 }, "Pseudonymized"],
])("the standing of a driver with %j is %s", (more, label) => {
	expect(standingOf({ ...driver, ...more }).label).toBe(label);
});
