/**
 * Which values the database refuses in each column, whatever the application does: on real D1, one
 * invalid column at a time.
 */
import { describe, it } from "vitest";
import {
	agreement,
	audit,
	charge,
	fee,
	feeImport,
	mail,
	message,
	openSchema,
	type Row,
	receipt,
	request,
	session,
	settlement,
	settlementLine,
	settlementMessage,
	token,
	trip,
	uniqueId,
	user,
	webhook,
} from "./support/valid-rows.ts";

const { insert, refused } = await openSchema();

const seal = (more: Row = {}) => ({
	last_event_id: 1,
	entries: 1,
	hash: "0".repeat(64),
	sealed_at: 1,
	...more,
});

const delivery = (more: Row = {}) => ({
	id: uniqueId(),
	webhook_id: "webhook",
	sequence: 1,
	event: "payout.paid",
	row_id: "row",
	created_at: 1,
	status: "queued",
	send_after: 1,
	...more,
});

describe("what a row must not be", () => {
	// SQLite refuses a word such as now before the CHECK that holds date() has an answer.
	const check = /CHECK constraint failed|non-deterministic use of date\(\) in a CHECK/;
	const wrongType = /cannot store|datatype mismatch/i;
	const missing = /NOT NULL constraint failed/;

	it("accepts a valid row of every table, or the refusals below would prove nothing", async () => {
		await insert("users", user());
		await insert("identities", {
			issuer: "i",
			subject: uniqueId(),
			user_id: String((await insert("users", user())).id),
			created_at: 1,
		});
		await insert("sessions", session());
		await insert("sign_in_attempts", { state_hash: uniqueId(), used_at: 1 });
		await insert("mileage_logs", trip());
		await insert("receipts", receipt());
		await insert("fund_requests", request());
		await insert("fund_requests", request({ id: "request" }));
		await insert("request_messages", message());
		await insert("fee_imports", feeImport());
		await insert("uber_fees", fee());
		await insert("audit_events", audit());
		await insert("mails", mail());
		await insert("loose_objects", {
			object_key: uniqueId(),
			owner_id: "driver",
			byte_size: 1,
			created_at: 1,
		});
		await insert("daily_tasks", { name: uniqueId() });
		await insert("settings", { id: "fleet" });
		await insert("notices", { id: uniqueId(), subject: "s", body: "b", created_at: 1 });
		await insert("bounces", { address: uniqueId(), reason: "r", at: 1 });
		await insert("letters", { letter: "\u{1f697}", folded: "car" });
		await insert("person_names", { user_id: "driver", name: "found by this", circle: 2 });
		await insert("audit_seals", seal());
		await insert("audit_salts", { event_id: 1, salt: "0".repeat(32) });
		await insert("api_tokens", token());
		await insert("agreements", agreement());
		await insert("charges", charge());
		await insert("settlements", settlement());
		await insert("settlements", settlement({ id: "settlement" }));
		await insert("settlement_lines", settlementLine());
		await insert("settlement_messages", settlementMessage());
		await insert("settlement_marks", { driver_id: "driver", since: "2026-11-16" });
		await insert("webhooks", webhook({ id: "webhook" }));
		await insert("webhook_deliveries", delivery());
		await insert("archived_years", { year: 2024, closed_at: 1 });
		await insert("archived_days", { driver_id: "driver", driven_on: "2024-02-29" });
	});

	it("refuses a closed year far in the future, and archived trips without a date or with negative miles", async () => {
		await refused("archived_years", { year: 1999, closed_at: 1 }, check);
		await refused("archived_years", { year: 2023, closed_at: 1, entries: -1 }, check);
		const day = { driver_id: "driver", driven_on: "2023-02-28" };
		await refused("archived_days", { ...day, driven_on: "2023-02-29" }, check);
		await refused(
			"archived_days",
			{ ...day, driver_id: "nobody" },
			/FOREIGN KEY constraint failed/,
		);
		await refused("archived_days", { ...day, trips: 2, miles: 1 }, check);
		await refused("archived_days", { ...day, voided_trips: -1, voided_miles: 1 }, check);
	});

	it("refuses a name of nobody, and an unknown scope", async () => {
		const row = { user_id: "driver", name: "x", circle: 2 };
		await refused("person_names", { ...row, circle: 3 }, check);
		await refused("person_names", { ...row, user_id: "nobody" }, /FOREIGN KEY constraint failed/);
	});

	it("refuses a seal over nothing, one without a hash, and an invalid salt", async () => {
		await refused("audit_seals", seal({ last_event_id: 2, entries: 0 }), check);
		await refused("audit_seals", seal({ last_event_id: 2, hash: "" }), check);
		await refused("audit_salts", { event_id: 2, salt: "0" }, check);
	});

	it("refuses a file store note with an impossible size, and counts that aren't JSON", async () => {
		const note = (more: Row) => ({ object_key: uniqueId(), byte_size: 1, created_at: 1, ...more });
		for (const byte_size of [-1, 8 * 1024 * 1024 + 1])
			await refused("loose_objects", note({ byte_size }), check);
		await refused("loose_objects", note({ owner_id: "nobody" }), /FOREIGN KEY constraint failed/);
		await refused("daily_tasks", { name: uniqueId(), counts: "{" }, check);
	});

	it("refuses a second row of settings, and settings that aren't an object", async () => {
		await refused("settings", { id: "other" }, check);
		for (const chosen of ["", "{", "[]", "1", "null"])
			await refused("settings", { id: "fleet", chosen }, /CHECK constraint failed|malformed JSON/);
	});

	const days = [
		"2026-02-30",
		"2026-02-29",
		"2026-13-01",
		"2026-2-1",
		"2026-11-21 ",
		"2026-11-21T00:00",
		"11/21/2026",
		"now",
		"today",
		"",
		"0",
	];
	const cases: [string, (more: Row) => Row, [string, (string | number | null)[]][]][] = [
		[
			"users",
			user,
			[
				["role", ["Admin", "superuser", ""]],
				["approval_status", ["Approved", "invited", ""]],
				["is_active", [2, -1]],
				["first_name", ["x".repeat(81)]],
				["last_name", ["x".repeat(81)]],
				["email", ["Dana@milepost.test", "DANA@MILEPOST.TEST", "ab", `${"a".repeat(250)}@b.cd`]],
				["driver_number", [0, -1]],
			],
		],
		[
			"mileage_logs",
			trip,
			[
				["driven_on", days],
				["start_miles", [-1, 10_000_000]],
				["end_miles", [10_000_000, 0]],
				["notes", ["", "x".repeat(1001)]],
				["source", ["FORM", "api", ""]],
				["gap_miles", [0, -1]],
				["is_overlap", [2]],
				["is_out_of_order", [2]],
				["is_long", [-1]],
				["voided_at", [1]],
				["voided_by", ["admin"]],
				["void_reason", ["", "x".repeat(501)]],
			],
		],
		[
			"fund_requests",
			request,
			[
				["number", [0, -1]],
				["type", ["fuel", "Gas", ""]],
				["status", ["processed", "Pending", "", "approved", "rejected", "withdrawn"]],
				["source", ["api"]],
				["amount_cents", [0, -1, 10_000_001]],
				["description", ["", "x".repeat(2001)]],
				["receipt_name", ["", "x".repeat(201)]],
				["admin_notes", ["", "x".repeat(2001)]],
				["is_possible_duplicate", [2]],
				["decided_at", [1]],
				["decided_by", ["admin"]],
				["withdrawn_at", [1]],
			],
		],
		[
			"request_messages",
			message,
			[
				["position", [0, 51]],
				["author_role", ["system", "Admin", ""]],
				["text", ["", "x".repeat(1001)]],
				["source", ["api"]],
			],
		],
		[
			"settlement_messages",
			settlementMessage,
			[
				["position", [0, 51]],
				["author_role", ["viewer"]],
				["text", ["", "x".repeat(1001)]],
				["source", ["api"]],
			],
		],
		[
			"uber_fees",
			fee,
			[
				["category", ["service fee", "tip", ""]],
				["amount_cents", [0, -1, 10_000_001]],
				["charged_on", days],
				["reference_number", ["", "x".repeat(101)]],
				["description", ["", "x".repeat(1001)]],
				["deleted_at", [1]],
				["deleted_by", ["admin"]],
				["is_credit", [2, -1]],
			],
		],
		[
			"receipts",
			receipt,
			[
				["media_type", ["image/svg+xml", "text/html", "image/heic", "IMAGE/PNG"]],
				["byte_size", [0, 8_388_609]],
				["sha256", ["a".repeat(63), "a".repeat(65)]],
				["file_name", ["", "x".repeat(201)]],
			],
		],
		[
			"sessions",
			session,
			[
				["token_hash", ["short", "a".repeat(65)]],
				["ended_at", [1]],
				["ended_reason", ["signed-out"]],
			],
		],
		[
			"fee_imports",
			feeImport,
			[
				["file_name", ["", "x".repeat(201)]],
				["row_count", [0, -1]],
			],
		],
		[
			"audit_events",
			audit,
			[
				["action", ["", "x".repeat(61)]],
				["before", ["{", "undefined"]],
				["after", ["{'a':1}"]],
			],
		],
		[
			"mails",
			mail,
			[
				["status", ["Sent", "delivered", ""]],
				["attempts", [-1]],
			],
		],
	];
	for (const [table, valid, columns] of cases)
		it(`of ${table}`, async () => {
			for (const [column, values] of columns)
				for (const value of values) await refused(table, valid({ [column]: value }), check);
		});

	it("an end that is not after the start", async () => {
		await refused("mileage_logs", trip({ start_miles: 100, end_miles: 100 }), check);
		await refused("mileage_logs", trip({ start_miles: 101, end_miles: 100 }), check);
		await refused(
			"mileage_logs",
			trip({ start_miles: 1, end_miles: 2, miles: 5 }),
			/generated column/,
		);
	});

	it("an administrator with a driver's code, an ended session with an unknown reason", async () => {
		await refused("users", user({ role: "admin", driver_number: 900 }), check);
		await refused("sessions", session({ ended_at: 1, ended_reason: "tired" }), check);
		await refused("webhooks", webhook({ url: "http://x" }), check);
		await refused("webhooks", webhook({ events: "{}" }), check);
		await refused("webhooks", webhook({ secret: "short" }), check);
		await refused("webhooks", webhook({ removed_at: 1 }), check);
		await refused("webhooks", webhook({ older_secret: "x" }), check);
		await refused("webhook_deliveries", delivery({ status: "sent" }), check);
		await refused("webhook_deliveries", delivery({ event: "" }), check);
		await refused("webhook_deliveries", delivery({ attempts: -1 }), check);
		await refused(
			"webhook_deliveries",
			delivery({ webhook_id: "none" }),
			/FOREIGN KEY constraint failed/,
		);
		await refused("api_tokens", token({ scope: "everything" }), check);
		await refused("api_tokens", token({ name: "" }), check);
		await refused("api_tokens", token({ token_hash: "short" }), check);
		await refused("api_tokens", token({ expires_at: 1 }), check);
	});

	it("an agreement with a share over 100%, or a threshold with nothing beyond it", async () => {
		for (const column of ["fares", "tips", "promotions", "fleet"])
			for (const share of [-1, 10_001])
				await refused("agreements", agreement({ [`${column}_basis_points`]: share }), check);
		const wrongs: readonly Row[] = [
			{ base: "both" },
			{ tolls_to: "platform" },
			{ weekly_rent_cents: -1 },
			{ weekly_fee_cents: 10_000_001 },
			{ per_mile_mills: -1 },
			{ tax_year_start: "02-29" },
			{ threshold_miles: 10_000 },
			{ threshold_miles: 10_000, thereafter_mills: 250 },
			{ thereafter_mills: 250 },
		];
		for (const wrong of wrongs) await refused("agreements", agreement(wrong), check);
		const whole = { threshold_miles: 10_000, thereafter_mills: 250, tax_year_start: "04-06" };
		await insert("agreements", agreement(whole));
		const number = 77;
		await insert("agreements", agreement({ number }));
		await refused("agreements", agreement({ number }), /UNIQUE constraint failed/);
	});

	it("a charge of nothing, in no or too many instalments, or voided once it is settled", async () => {
		const wrongs: readonly Row[] = [
			{ kind: "gift" },
			{ amount_cents: 0 },
			{ direction: "sideways" },
			{ instalments: 0 },
			{ instalments: 53 },
			{ amount_cents: 3 },
			{ note: "" },
			{ settled_instalments: 5 },
			{ voided_at: 1 },
			{ voided_at: 1, voided_by: "admin", settled_instalments: 1 },
		];
		for (const wrong of wrongs) await refused("charges", charge(wrong), check);
	});

	it("a settlement that is published without its sums, carried above zero, or twice a week", async () => {
		const publication = { published_at: 1, published_by: "admin" };
		const sums = { carried_in_cents: 0, result_cents: 5 };
		const wrongs: readonly Row[] = [
			{ status: "settled" },
			{ status: "published" },
			{ status: "published", ...publication },
			{ status: "published", ...sums },
			{ ...publication, ...sums },
			{ status: "published", ...publication, ...sums, carried_in_cents: 1 },
			{ status: "published", ...publication, ...sums, carried_by: "another" },
			{ status: "published", ...publication, ...sums, result_cents: 0, payout_id: "payout" },
			{ status: "void" },
			{ voided_at: 1, voided_by: "admin" },
			{ week_from: "2026-02-30" },
			{ number: 0 },
		];
		for (const wrong of wrongs) await refused("settlements", settlement(wrong), check);
		const week = { week_from: "2026-03-02" };
		await insert("settlements", settlement(week));
		await refused("settlements", settlement(week), /UNIQUE constraint failed/);
		const voided = { ...week, status: "void", voided_at: 1, voided_by: "admin" };
		await insert("settlements", settlement(voided));
		await refused("settlement_lines", settlementLine({ kind: "gift" }), check);
		await refused("settlement_lines", settlementLine({ text: "" }), check);
		await refused("settlement_lines", settlementLine({ kind: "correction" }), check);
	});

	it("a decided request without its decision, or a decision on a withdrawn one", async () => {
		for (const status of ["approved", "rejected"]) {
			await refused("fund_requests", request({ status, decided_at: 1 }), check);
			await refused("fund_requests", request({ status, decided_by: "admin" }), check);
			await insert("fund_requests", request({ status, decided_at: 1, decided_by: "admin" }));
		}
		await refused(
			"fund_requests",
			request({ status: "withdrawn", withdrawn_at: 1, decided_at: 1, decided_by: "admin" }),
			check,
		);
		await insert("fund_requests", request({ status: "withdrawn", withdrawn_at: 1 }));
	});

	it("accepts money at its limits, and no other type for it", async () => {
		for (const cents of [1, 10_000_000]) {
			await insert("fund_requests", request({ amount_cents: cents }));
			await insert("uber_fees", fee({ amount_cents: cents }));
		}
		for (const value of [12.5, "12.50", "abc"]) {
			await refused("fund_requests", request({ amount_cents: value }), wrongType);
			await refused("uber_fees", fee({ amount_cents: value }), wrongType);
		}
		await refused("mileage_logs", trip({ start_miles: 1.5 }), wrongType);
	});

	it("a row without a required column", async () => {
		const required: [string, (more: Row) => Row, string[]][] = [
			["users", user, ["id", "role", "approval_status", "created_at", "first_name"]],
			[
				"mileage_logs",
				trip,
				[
					"id",
					"driver_id",
					"driven_on",
					"start_miles",
					"end_miles",
					"source",
					"created_at",
					"payload_hash",
				],
			],
			[
				"fund_requests",
				request,
				[
					"id",
					"number",
					"driver_id",
					"type",
					"amount_cents",
					"description",
					"status",
					"created_at",
				],
			],
			["uber_fees", fee, ["id", "driver_id", "category", "amount_cents", "charged_on", "added_by"]],
			["sessions", session, ["token_hash", "user_id", "expires_at", "ends_at"]],
			["audit_events", audit, ["at", "actor_role", "action", "entity", "entity_id"]],
		];
		for (const [table, valid, columns] of required)
			for (const column of columns) await refused(table, valid({ [column]: null }), missing);
	});
});
