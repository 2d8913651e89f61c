/** Administrators' commands. */
import { idOf } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { formWith } from "../../../tests/support/forms.ts";
import { driverMatches, generateStatement } from "../../../tests/support/generated-statements.ts";
import { insertLog } from "../../../tests/support/mileage.ts";
import { callStatements } from "../../../tests/support/statement-calls.ts";
import type { RowFactory } from "../races/subjects.ts";
import {
	call,
	feeFields,
	form,
	key,
	type Play,
	personFields,
	type Scene,
	upload,
	words,
} from "./scenes.ts";

const applicant = (factory: RowFactory) => factory.driver({ approval_status: "pending" });
const fee = (factory: RowFactory) => insertFee(factory.sql, factory.next(), "dana", daysAgo(0));
/** A payout that Ada has marked as paid. */
const paid = async (factory: RowFactory) => {
	const row = await factory.payout();
	await factory.ada.call("PUT", `/api/payouts/${row.id}`, { status: "paid", paidOn: daysAgo(0) });
	return row;
};
/** Ada as if she had just signed in: the long form lasts longer than an administrator may wait. */
const justSignedIn = async ({ ada, sql }: RowFactory) => {
	await sql("update sessions set created_at = ? where user_id = ?", currentTime(), idOf("ada"));
	return ada;
};
const about =
	(
		make: (factory: RowFactory) => Promise<{ id: string }>,
		play: (id: string, factory: RowFactory) => Play,
	) =>
	async (factory: RowFactory) =>
		play((await make(factory)).id, factory);
const IMPORT = "/uber-fees/import";
const csv = () => {
	const row = ["DRV-0001", "commission", "1.00", daysAgo(0), words("REF")];
	return `Driver ID,Category,Amount,Date,Reference\n${row.join(",")}\n`;
};
/** How many drivers the generated statements have; they are in the fleet. */
export const STATEMENT_DRIVERS = 2;
let series = 0;
const statement = () => generateStatement(4, STATEMENT_DRIVERS, ++series).file;

const onDriver = (name: string, intent: string, more = {}): Scene => ({
	name: `${name} on the form`,
	make: about(applicant, (id, { ada }) => form(ada, "/drivers", { intent, id, ...more })),
});
const onRequest = (
	name: string,
	fields: Readonly<Record<string, string>>,
	make = (factory: RowFactory) => factory.request(),
): Scene => ({
	name: `${name} on the form`,
	make: about(make, (id, { ada }) => form(ada, "/fund-requests", { id, ...fields })),
});
const byCall = (
	name: string,
	make: (factory: RowFactory) => Promise<{ id: string }>,
	method: string,
	path: (id: string) => string,
	body: () => object = () => ({}),
): Scene => ({
	name: `${name} through the API`,
	make: about(make, (id, { ada }) => call(ada, method, path(id), body())),
});
const requestAt = (id: string) => `/api/fund-requests/${id}`;
const payoutAt = (id: string) => `/api/payouts/${id}`;
const driverAt = (id: string) => `/api/drivers/${id}`;

export const ADMIN_SCENES: readonly Scene[] = [
	onDriver("approve a driver", "approve"),
	onDriver("reject a driver", "reject"),
	onDriver("rename a driver", "rename", { firstName: "Ray", lastName: "Renamed" }),
	{
		name: "deactivate a driver on the form",
		make: about(
			(factory) => factory.driver(),
			(id, { ada }) => form(ada, "/drivers", { intent: "deactivate", id }),
		),
	},
	{
		name: "invite a driver on the form",
		make: async ({ ada }) => form(ada, "/drivers", { intent: "add-driver", ...personFields() }),
	},
	{
		name: "create an administrator on the form",
		make: async (factory) =>
			form(await justSignedIn(factory), "/drivers", { intent: "create-admin", ...personFields() }),
	},
	{
		name: "invite a driver through the API",
		make: async ({ ada }) => call(ada, "POST", "/api/drivers", personFields()),
	},
	{
		name: "create an administrator through the API",
		make: async (factory) =>
			call(await justSignedIn(factory), "POST", "/api/admin/create", personFields()),
	},
	byCall("approve a driver", applicant, "PUT", (id) => `${driverAt(id)}/approve`),
	byCall("reject a driver", applicant, "PUT", (id) => `${driverAt(id)}/reject`),
	byCall("deactivate a driver", (factory) => factory.driver(), "DELETE", driverAt),
	{
		...byCall(
			"switch a driver",
			(factory) => factory.driver(),
			"PUT",
			(id) => `${driverAt(id)}/toggle`,
		),
		isNotRepeatable: true,
	},
	onRequest("approve a request", {
		intent: "process",
		status: "approved",
		adminNotes: "Full tank",
	}),
	onRequest("reject a request", {
		intent: "process",
		status: "rejected",
		adminNotes: "No receipt",
	}),
	{
		name: "ask on the form",
		make: about(
			(factory) => factory.request(),
			(id, { ada }) =>
				form(ada, "/fund-requests", { intent: "ask", id, key: key(), text: words("Which van") }),
		),
	},
	onRequest("undo a decision", { intent: "undo" }, (factory) => factory.approved()),
	onRequest("reopen a decision", { intent: "reopen", reason: "Wrong van" }, (factory) =>
		factory.approved(),
	),
	{
		name: "approve several on the form",
		make: async (factory) => {
			const [one, other] = [await factory.request(), await factory.request()];
			const body = new URLSearchParams({ intent: "bulk-approve" });
			for (const { id } of [one, other]) body.append("ids", id);
			const play = form(factory.ada, "/fund-requests", {});
			return {
				...play,
				posted: { ...play.posted, body: new TextEncoder().encode(body.toString()) },
			};
		},
	},
	byCall(
		"approve a request",
		(factory) => factory.request(),
		"PUT",
		requestAt,
		() => ({
			status: "approved",
		}),
	),
	byCall(
		"reject a request",
		(factory) => factory.request(),
		"PUT",
		requestAt,
		() => ({
			status: "rejected",
		}),
	),
	byCall(
		"reopen a decision",
		(factory) => factory.approved(),
		"PUT",
		requestAt,
		() => ({
			status: "pending",
		}),
	),
	byCall(
		"ask",
		(factory) => factory.request(),
		"POST",
		(id) => `${requestAt(id)}/messages`,
		() => ({
			text: words("Which van"),
		}),
	),
	{
		name: "create a payout on the form",
		make: async (factory) => {
			const { driverId } = await factory.approved();
			return form(factory.ada, "/payouts", { gather: "driver", driverId, key: key() });
		},
	},
	{
		name: "create a payout through the API",
		make: about(
			(factory) => factory.approved(),
			(id, { ada }) => call(ada, "POST", "/api/payouts", { requestIds: [id] }),
		),
	},
	{
		name: "pay on the form",
		make: about(
			(factory) => factory.payout(),
			(id, { ada }) =>
				form(ada, `/payouts/${id}`, { intent: "pay", paidOn: daysAgo(0), reference: "Wire 17" }),
		),
	},
	{
		name: "cancel a payout on the form",
		make: about(
			(factory) => factory.payout(),
			(id, { ada }) => form(ada, `/payouts/${id}`, { intent: "cancel" }),
		),
	},
	{
		name: "reopen a payout on the form",
		make: about(paid, (id, { ada }) =>
			form(ada, `/payouts/${id}`, { intent: "reopen", reason: "Sent back by the bank" }),
		),
	},
	byCall(
		"pay",
		(factory) => factory.payout(),
		"PUT",
		payoutAt,
		() => ({
			status: "paid",
			paidOn: daysAgo(0),
		}),
	),
	byCall(
		"cancel a payout",
		(factory) => factory.payout(),
		"PUT",
		payoutAt,
		() => ({
			status: "cancelled",
		}),
	),
	byCall("reopen a payout", paid, "PUT", payoutAt, () => ({ status: "open", reason: "Sent back" })),
	{
		name: "add a fee on the form",
		make: async ({ ada }) => form(ada, "/uber-fees", feeFields()),
	},
	{
		name: "edit a fee on the form",
		make: async (factory) =>
			form(factory.ada, "/uber-fees", { ...feeFields(), replacesId: await fee(factory) }),
	},
	{
		name: "delete a fee on the form",
		make: async (factory) =>
			form(factory.ada, "/uber-fees", { intent: "delete", id: await fee(factory) }),
	},
	{
		name: "add a fee through the API",
		make: async ({ ada }) => call(ada, "POST", "/api/uber-fees", feeFields()),
	},
	{
		name: "delete a fee through the API",
		make: async (factory) => call(factory.ada, "DELETE", `/api/uber-fees/${await fee(factory)}`),
	},
	{
		name: "import fees by their columns",
		make: async ({ ada }) => {
			const file = { bytes: new TextEncoder().encode(csv()), name: "fees.csv", type: "text/csv" };
			const { posted } = await upload(ada, IMPORT, { intent: "upload" }, file, { field: "file" });
			const sent = await ada.request(posted.path, posted);
			const preview = await ada.get(sent.headers.get("Location") ?? "");
			const { fields } = formWith(preview.text, "import?statement=");
			return form(ada, IMPORT, { ...fields, intent: "import-statement" });
		},
	},
	{
		name: "undo an import",
		make: async (factory) => {
			const { body } = await callStatements(factory.ada, {}, statement());
			const drivers = driverMatches(STATEMENT_DRIVERS);
			const made = await callStatements(factory.ada, { id: body.id, mode: "all", drivers });
			if (!made.body.importId) throw new Error(`not imported: ${made.text}`);
			return form(factory.ada, IMPORT, { intent: "undo", id: made.body.importId });
		},
	},
	{
		name: "upload a statement",
		onlyWaits: true,
		make: async ({ ada }) =>
			upload(ada, IMPORT, { intent: "upload" }, statement(), { field: "file" }),
	},
	{
		name: "upload a statement through the API",
		onlyWaits: true,
		make: async ({ ada }) => upload(ada, "/api/statements", {}, statement(), { field: "file" }),
	},
	{
		name: "import a statement",
		remembersFirst: true,
		make: async ({ ada, sql }) => {
			// So that its drivers are new and have to be remembered each time.
			await sql("delete from platform_drivers");
			const { body } = await callStatements(ada, {}, statement());
			const drivers = driverMatches(STATEMENT_DRIVERS);
			return upload(ada, "/api/statements", { id: body.id, mode: "all", drivers }, undefined);
		},
	},
	{
		name: "void a trip as an administrator",
		make: async (factory) => {
			const id = await insertLog(factory.sql, factory.next(), "dana", daysAgo(0), 40);
			return form(factory.ada, "/mileage-reports", {
				intent: "void",
				id,
				reason: words("Wrong van"),
			});
		},
	},
	{
		name: "change a setting",
		make: async ({ ada }) =>
			form(ada, "/settings", { intent: "accounting", accountCode: words("A").slice(0, 12) }),
	},
	{
		name: "download a report",
		isNotRepeatable: true,
		make: async ({ ada }) =>
			form(ada, "/reports/generate", { type: "driver", format: "csv", range: "last_month" }),
	},
	{
		name: "download a mileage log",
		isNotRepeatable: true,
		make: async ({ ada }) =>
			form(ada, "/reports/mileage-log", {
				driverId: idOf("dana"),
				year: daysAgo(0).slice(0, 4),
				format: "excel",
			}),
	},
];
