/**
 * Nobody writes anything after being deactivated, however far their request had come.
 * `npm run torture -- access` runs the long version.
 */
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { report, some } from "../../../lab/torture/plan.ts";
import { mustBeZero } from "../../../lab/torture/table.ts";
import { agreementOf, chargeOf } from "../../../tests/support/agreements.ts";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { commandSubjects } from "../../../tests/support/command-subjects.ts";
import { AccessLost, openDatabase, signIn } from "../../../tests/support/database.ts";
import { openFinder } from "../../../tests/support/found-changes.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { insertToken } from "../../../tests/support/tokens.ts";
import { insertDelivery, insertWebhook } from "../../../tests/support/webhooks.ts";
import { addDays, dateIn, parseCalendarDate } from "../../values/calendar-date.ts";
import { done } from "../../values/outcome.ts";
import { makeAgreement } from "../agreements/commands/make.server.ts";
import { addCharge } from "../charges/commands/add.server.ts";
import { voidCharge } from "../charges/commands/void.server.ts";
import { addReceipt } from "../fund-requests/commands/add-receipt.server.ts";
import { writeAboutRequest } from "../fund-requests/commands/message.server.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { submitRequest } from "../fund-requests/commands/submit.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { withdrawRequest } from "../fund-requests/commands/withdraw.server.ts";
import { sendAgain } from "../mail/commands/send-again.server.ts";
import { sendAllAgain } from "../mail/commands/send-all-again.server.ts";
import { logMileage } from "../mileage/commands/log.server.ts";
import { takeDayOff } from "../mileage/commands/take-day-off.server.ts";
import { voidMileage } from "../mileage/commands/void.server.ts";
import { voidMileageAsAdmin } from "../mileage/commands/void-as-admin.server.ts";
import { cancelPayout } from "../payouts/commands/cancel.server.ts";
import { makePayout } from "../payouts/commands/make.server.ts";
import { payPayout } from "../payouts/commands/pay.server.ts";
import { reopenPayout } from "../payouts/commands/reopen.server.ts";
import { approveDriver } from "../people/commands/approve.server.ts";
import { cancelInvitation } from "../people/commands/cancel-invitation.server.ts";
import { chooseEmails } from "../people/commands/choose-emails.server.ts";
import { completeProfile } from "../people/commands/complete-profile.server.ts";
import { createAdmin, createDriver } from "../people/commands/create.server.ts";
import { inviteDrivers } from "../people/commands/invite-many.server.ts";
import { rejectDriver } from "../people/commands/reject.server.ts";
import { renameDriver } from "../people/commands/rename.server.ts";
import { renewInvitation } from "../people/commands/renew-invitation.server.ts";
import { setDriverActive } from "../people/commands/set-active.server.ts";
import { signOutDevice } from "../people/commands/sign-out.server.ts";
import { pseudonymizeDriver } from "../personal-data/commands/pseudonymize.server.ts";
import { saveReceiptRow } from "../receipts/commands/keep.server.ts";
import { changeSettings } from "../settings/commands/change.server.ts";
import { chooseUnits } from "../settings/commands/choose-units.server.ts";
import { chooseWeekStart } from "../settings/commands/choose-week-start.server.ts";
import { draftWeek } from "../settlements/commands/draft.server.ts";
import { writeAboutWeek } from "../settlements/commands/message.server.ts";
import { publishSettlements } from "../settlements/commands/publish.server.ts";
import { voidSettlements } from "../settlements/commands/void.server.ts";
import { forgetDriver } from "../statements/commands/forget-driver.server.ts";
import { importStatement } from "../statements/commands/import.server.ts";
import { rememberDrivers } from "../statements/commands/remember-drivers.server.ts";
import { undoImport } from "../statements/commands/undo-import.server.ts";
import { settlementWeek } from "../statements/settlement-week.ts";
import { makeToken } from "../tokens/commands/make.server.ts";
import { revokeToken } from "../tokens/commands/revoke.server.ts";
import { addFee } from "../uber-fees/commands/add.server.ts";
import { deleteFee } from "../uber-fees/commands/delete.server.ts";
import { addWebhook } from "../webhooks/commands/add.server.ts";
import { chooseEvents } from "../webhooks/commands/choose-events.server.ts";
import { removeWebhook } from "../webhooks/commands/remove.server.ts";
import { rotateSecret } from "../webhooks/commands/rotate-secret.server.ts";
import { deliverAgain } from "../webhooks/commands/send-again.server.ts";
import { sendTestEvent } from "../webhooks/commands/send-test.server.ts";
import { switchWebhook } from "../webhooks/commands/switch.server.ts";
import type { AdminContext, DriverContext } from "./context.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const TODAY = dateIn("America/New_York", NOW);
const SITE = { origin: "https://fleet.example" };
const ROUNDS = Number(process.env.ACCESS_ROUNDS ?? some(20));
const bench = await openDatabase("everyone", NOW);
const changing = await openFinder(bench);
await signIn(bench, "ben", NOW);
const {
	unique,
	applicant,
	invited,
	codeOf,
	formerDriver,
	request,
	questioned,
	message,
	approved,
	openPayout,
	trip,
	fee,
	feeImport,
	failedEmail,
	alias,
	store,
	waitingStatement,
	waiting,
	person,
	charge,
	damage,
	settlement,
	askedWeek,
	rentedWeek,
	stored,
	newTrip,
	fuel,
} = await commandSubjects(bench, NOW, TODAY);

const token = async () => {
	const id = crypto.randomUUID();
	await insertToken(bench.rows, idOf("ada"), "read", { id });
	return id;
};

const hook = async () => (await insertWebhook(bench.rows)).id;
const delivery = async () => {
	const id = crypto.randomUUID();
	await insertDelivery(bench.rows, await hook(), { id, status: "failed" });
	return id;
};

type Subject = { readonly id: string };
const nothing = async () => ({ id: "" });
const about = (make: () => Promise<string>) => async () => ({ id: await make() });
type AdminCommand = readonly [
	file: string,
	make: () => Promise<Subject>,
	run: (admin: AdminContext, id: string) => Promise<object>,
];
type DriverCommand = readonly [
	file: string,
	make: () => Promise<Subject>,
	run: (driver: DriverContext, id: string) => Promise<object>,
];

const BY_ADMIN: readonly AdminCommand[] = [
	["people/approve", about(applicant), (admin, id) => approveDriver(admin, id, SITE)],
	["people/reject", about(applicant), (admin, id) => rejectDriver(admin, id, SITE)],
	[
		"people/rename",
		about(applicant),
		(admin, id) => renameDriver(admin, id, { firstName: "Sammy", lastName: "Stranger" }),
	],
	[
		"people/set-active",
		about(() => applicant({ approval_status: "approved" })),
		(admin, id) => setDriverActive(admin, id, false),
	],
	["people/create", nothing, (admin) => createDriver(admin, person(), SITE)],
	[
		"people/invite-many",
		nothing,
		async (admin) => {
			const invited = { ...person(), line: "" };
			const [result] = await inviteDrivers(admin, [invited], undefined, SITE);
			return result && "ok" in result.outcome ? result.outcome : expect.unreachable();
		},
	],
	["people/create", nothing, (admin) => createAdmin(admin, person(), SITE)],
	["people/renew-invitation", about(invited), (admin, id) => renewInvitation(admin, id, SITE)],
	["people/cancel-invitation", about(invited), (admin, id) => cancelInvitation(admin, id)],
	[
		"fund-requests/process",
		about(request),
		(admin, id) => processRequests(admin, [id], { status: "approved", adminNotes: undefined }),
	],
	[
		"fund-requests/process",
		about(request),
		(admin, id) => processRequests(admin, [id], { status: "rejected", adminNotes: "No" }),
	],
	[
		"fund-requests/undo",
		about(() => request({ status: "approved", decided_at: NOW, decided_by: idOf("ben") })),
		(admin, id) => undoDecision(admin, id),
	],
	[
		"fund-requests/reopen",
		about(() =>
			request({ status: "approved", decided_at: NOW - 700_000, decided_by: idOf("ada") }),
		),
		(admin, id) => reopenRequest(admin, id),
	],
	[
		"fund-requests/message",
		about(request),
		(admin, id) => writeAboutRequest(admin, id, message(), "json"),
	],
	[
		"mileage/void-as-admin",
		about(trip),
		(admin, id) => voidMileageAsAdmin(admin, { id, reason: "Wrong" }),
	],
	[
		"payouts/make",
		about(approved),
		(admin, id) => makePayout(admin, { kind: "named", ids: [id] }, undefined),
	],
	[
		"payouts/pay",
		about(openPayout),
		(admin, id) => payPayout(admin, id, { paidOn: TODAY, reference: undefined }),
	],
	["payouts/cancel", about(openPayout), (admin, id) => cancelPayout(admin, id)],
	[
		"payouts/reopen",
		about(async () => {
			const id = await openPayout();
			await payPayout(await bench.admin("ada"), id, { paidOn: TODAY, reference: undefined });
			return id;
		}),
		(admin, id) => reopenPayout(admin, id, "Wrong account"),
	],
	["uber-fees/add", nothing, (admin) => addFee(admin, charge)],
	["uber-fees/add", about(fee), (admin, id) => addFee(admin, { ...charge, replacesId: id })],
	["uber-fees/delete", about(fee), (admin, id) => deleteFee(admin, id)],
	[
		"agreements/make",
		nothing,
		(admin) => makeAgreement(admin, agreementOf(idOf("dana"), { weeklyRent: unique() })),
	],
	["charges/add", nothing, (admin) => addCharge(admin, chargeOf(idOf("dana")))],
	[
		"settlements/draft",
		about(rentedWeek),
		(admin, from) => draftWeek(admin, settlementWeek(parseCalendarDate(from), 1)),
	],
	["settlements/publish", about(settlement), (admin, id) => publishSettlements(admin, [id], {})],
	["settlements/void", about(settlement), (admin, id) => voidSettlements(admin, [id])],
	[
		"settlements/message",
		about(askedWeek),
		(admin, id) => writeAboutWeek(admin, id, message(), "json"),
	],
	["charges/void", about(damage), (admin, id) => voidCharge(admin, id)],
	["mail/send-again", about(failedEmail), (admin, id) => sendAgain(admin, id)],
	["mail/send-all-again", about(failedEmail), (admin) => sendAllAgain(admin)],
	[
		"settings/choose-week-start",
		nothing,
		(admin) =>
			chooseWeekStart(admin, unique() % 2 ? "sunday" : "monday", { fleetName: "Milepost" }),
	],
	[
		"settings/change",
		nothing,
		async (admin) =>
			done(await changeSettings(admin, { taxType: `Rate ${unique()}` }, { fleetName: "Milepost" })),
	],
	[
		"settings/choose-units",
		async () => {
			await bench.rows(`insert into settings (id, chosen) values ('fleet', '{"unitsOpen":true}')
				on conflict do update set chosen = json_patch(chosen, excluded.chosen)`);
			return { id: "" };
		},
		async (admin) =>
			chooseUnits(admin, { currency: "USD", distanceUnit: "mi" }, { fleetName: "Milepost" }),
	],
	["statements/undo-import", about(feeImport), (admin, id) => undoImport(admin, id)],
	[
		"statements/import",
		about(waitingStatement),
		async (admin, id) => importStatement(admin, store, waiting(id), "all"),
	],
	[
		"statements/remember-drivers",
		nothing,
		(admin) =>
			rememberDrivers(admin, "uber", [
				{ platformId: `there-${unique()}`, name: "Dana", driverId: idOf("dana") },
			]),
	],
	[
		"personal-data/pseudonymize",
		about(formerDriver),
		async (admin, id) => pseudonymizeDriver(admin, id, await codeOf(id), 7),
	],
	[
		"tokens/make",
		nothing,
		(admin) => makeToken(admin, { name: "Payroll", scope: "read", days: 90, key: undefined }),
	],
	["tokens/revoke", about(token), (admin, id) => revokeToken(admin, id)],
	[
		"webhooks/add",
		about(async () => {
			await bench.rows("delete from webhook_deliveries");
			await bench.rows("delete from webhooks");
			return "";
		}),
		(admin) =>
			addWebhook(admin, {
				url: "https://hooks.example.com/",
				events: ["payout.paid"],
				key: undefined,
			}),
	],
	["webhooks/choose-events", about(hook), (admin, id) => chooseEvents(admin, id, ["payout.paid"])],
	["webhooks/rotate-secret", about(hook), (admin, id) => rotateSecret(admin, id)],
	["webhooks/switch", about(hook), (admin, id) => switchWebhook(admin, id, false)],
	["webhooks/send-test", about(hook), (admin, id) => sendTestEvent(admin, id)],
	["webhooks/send-again", about(delivery), (admin, id) => deliverAgain(admin, id)],
	["webhooks/remove", about(hook), (admin, id) => removeWebhook(admin, id)],
	["statements/forget-driver", about(alias), (admin, id) => forgetDriver(admin, id)],
];

const BY_DRIVER: readonly DriverCommand[] = [
	["mileage/log", nothing, (driver) => logMileage(driver, newTrip(), "json")],
	["mileage/log", about(trip), (driver, id) => logMileage(driver, newTrip(id), "json")],
	[
		"mileage/take-day-off",
		about(async () => {
			await bench.rows("update users set days_off = null where id = ?", idOf("dana"));
			await insertRow(bench.rows, "mileage_logs", {
				id: crypto.randomUUID(),
				driver_id: idOf("dana"),
				driven_on: "2026-01-02",
				start_miles: unique(),
				end_miles: 9_000_000,
				source: "form",
				created_at: 1,
				payload_hash: "x",
			});
			return idOf("dana");
		}),
		(driver) => takeDayOff(driver, addDays(TODAY, -1)),
	],
	["mileage/void", about(trip), (driver, id) => voidMileage(driver, id)],
	["fund-requests/submit", nothing, (driver) => submitRequest(driver, fuel(), "json")],
	["fund-requests/submit", about(request), (driver, id) => submitRequest(driver, fuel(id), "json")],
	["fund-requests/withdraw", about(request), (driver, id) => withdrawRequest(driver, id)],
	[
		"fund-requests/message",
		about(questioned),
		(driver, id) => writeAboutRequest(driver, id, message(), "json"),
	],
	[
		"settlements/message",
		about(askedWeek),
		(driver, id) => writeAboutWeek(driver, id, message(), "json"),
	],
	["receipts/keep", nothing, (driver) => saveReceiptRow(driver, stored(crypto.randomUUID()))],
	[
		"fund-requests/add-receipt",
		about(request),
		(driver, id) => addReceipt(driver, id, stored(crypto.randomUUID())),
	],
];

/**
 * Files that are shared by commands, combine two of them, record an event, or are run by the
 * operator, a visitor or the schedule: by nobody who can be deactivated.
 */
const NOT_COMMANDS_OF_PEOPLE = [
	"archive/close-year",
	"archive/move-entries",
	"people/decision",
	"people/invitation",
	"fund-requests/approve",
	"fund-requests/decision",
	"fund-requests/message",
	"fund-requests/redate",
	"fund-requests/reject",
	"fund-requests/send-answer",
	"mileage/refresh-flags",
	"personal-data/erase-audit",
	"personal-data/erase-invitations",
	"personal-data/erasure",
	"receipts/receipt-row",
	"receipts/record-view",
	"receipts/sweep",
	"statements/replace-fees",
	"people/change-role",
	"people/claim-invitation",
	"people/create-account",
	"people/end-sessions",
	"people/invite-admin",
	"webhooks/switch-off-failing",
];

it("the list has every command", () => {
	const files = readdirSync("app/domain", { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap(({ name }) => {
			try {
				return readdirSync(`app/domain/${name}/commands`).map((file) => `${name}/${file}`);
			} catch {
				return [];
			}
		})
		.map((file) => file.replace(".server.ts", "").replace("/commands", ""));
	const named = [
		...BY_ADMIN.map(([file]) => file),
		...BY_DRIVER.map(([file]) => file),
		"people/choose-emails",
		"people/complete-profile",
		"people/sign-out",
	];
	expect([...new Set([...named, ...NOT_COMMANDS_OF_PEOPLE])].sort()).toEqual(files.sort());
});

/** A person's audit entries after their deactivation. */
const actsAfterTheEnd = (name: CastName) =>
	bench.rows(
		`select action from audit_events where actor_id = ? and id > (select max(id)
			from audit_events where action = 'user.deactivate' and entity_id = ?)`,
		idOf(name),
		idOf(name),
	);
const everything = () =>
	bench.rows(`select (select json_group_array(id || last_change_id) from users) as users,
		(select json_group_array(id || last_change_id) from fund_requests) as requests,
		(select json_group_array(id || question) from fund_requests) as questions,
		(select count(*) from request_messages) as messages,
		(select count(*) from settlement_messages) as weekMessages,
		(select json_group_array(id || question) from settlements) as weekQuestions,
		(select json_group_array(id || last_change_id) from mileage_logs) as logs,
		(select json_group_array(id || last_change_id) from uber_fees) as fees,
		(select json_group_array(id || last_change_id) from fee_imports) as imports,
		(select json_group_array(id || chosen) from settings) as settings,
		(select json_group_array(id || last_change_id) from payouts) as payouts,
		(select json_group_array(id || last_change_id) from platform_drivers) as aliases,
		(select json_group_array(id || last_change_id) from api_tokens) as tokens,
		(select count(*) from agreements) as agreements,
		(select json_group_array(id || last_change_id) from charges) as charges,
		(select json_group_array(id || last_change_id) from settlements) as settlements,
		(select json_group_array(id || last_change_id) from webhooks) as webhooks,
		(select json_group_array(id || status) from webhook_deliveries) as deliveries,
		(select count(*) from audit_events) as events, (select json_group_array(id || status) from mails) as mails`);

const setActive = async (name: CastName, isActive: boolean) => {
	const outcome = await setDriverActive(await bench.admin("ada"), idOf(name), isActive);
	expect(outcome.ok).toBe(true);
};

let raced = 0;
let finishedLate = 0;
afterAll(() => {
	report("access", [
		mustBeZero("commands of people who lose access", raced, "done after that", finishedLate),
	]);
});

/**
 * Runs a command of someone who was admitted and is then deactivated: first definitely before the
 * command, then repeatedly at the same time.
 */
async function play(
	name: CastName,
	make: () => Promise<Subject>,
	run: (id: string) => Promise<object>,
) {
	await setActive(name, false);
	const { id } = await make();
	const before = await everything();
	await expect(run(id)).rejects.toBeInstanceOf(AccessLost);
	expect(await everything()).toEqual(before);
	await setActive(name, true);
	for (let round = 0; round < ROUNDS; round++) {
		const subject = await make();
		const end = () => setActive(name, false);
		const act = () => run(subject.id);
		const [first, second] = round % 2 ? [act, end] : [end, act];
		const ends = [first(), second()];
		for (const result of await Promise.allSettled(ends))
			if (result.status === "rejected") expect(result.reason).toBeInstanceOf(AccessLost);
		const late = await actsAfterTheEnd(name);
		raced += 1;
		finishedLate += late.length;
		expect(late).toEqual([]);
		await setActive(name, true);
	}
	// Only the deactivation prevented it.
	const subject = await make();
	const outcome = await changing(() => run(subject.id));
	expect(outcome).toMatchObject(
		"ok" in outcome ? { ok: true } : { decisions: [{ result: "decided" }] },
	);
}

describe("a deactivated administrator", () => {
	it.each(BY_ADMIN.map((command, position) => [`${command[0]} (${position})`, command] as const))(
		"cannot finish %s",
		async (_, [, make, run]) => {
			const ben = await bench.admin("ben");
			await play("ben", make, (id) => run(ben, id));
		},
	);
});

describe("a deactivated driver", () => {
	it.each(BY_DRIVER.map((command, position) => [`${command[0]} (${position})`, command] as const))(
		"cannot finish %s",
		async (_, [, make, run]) => {
			// The hours are far apart, so that no hourly limit is reached.
			let hour = 0;
			const at = () => bench.driver("dana", NOW + 3_600_001 * ++hour);
			const contexts = await Promise.all(Array.from({ length: ROUNDS + 2 }, at));
			await play("dana", make, (id) => run(contexts.shift() as DriverContext, id));
		},
	);

	it("cannot complete their profile", async () => {
		const self = { ...(await bench.self("ben")) };
		const names = { firstName: "Ben", lastName: "Backup" };
		await play("ben", nothing, () =>
			completeProfile(self, { ...names, lastName: `Backup ${unique()}` }),
		);
	});

	it("cannot choose their emails", async () => {
		const self = await bench.self("dana");
		await play("dana", nothing, async () =>
			done(await chooseEmails(self, { remindOfMiles: unique() % 2 === 0 })),
		);
	});

	it("cannot sign out another device", async () => {
		const self = await bench.self("dana");
		const device = async () => {
			const ref = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
			await insertRow(bench.rows, "sessions", {
				token_hash: ref.padEnd(64, "0"),
				user_id: idOf("dana"),
				created_at: NOW,
				last_seen_at: NOW,
				expires_at: NOW + 86_400_000,
				ends_at: NOW + 86_400_000,
			});
			return { id: ref };
		};
		await play("dana", device, async (ref) => done(await signOutDevice(self, ref)));
	});
});
