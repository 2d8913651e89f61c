/** What administrators do. */
import { idOf } from "../../support/cast.ts";
import { insertFee } from "../../support/fees.ts";
import { daysAgo } from "../../support/fleet-days.ts";
import { formWith } from "../../support/forms.ts";
import { driversOfMade, madeStatement } from "../../support/made-statements.ts";
import { insertLog } from "../../support/mileage.ts";
import { callStatements } from "../../support/statement-calls.ts";
import type { Track } from "../races/subjects.ts";
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

const applicant = (track: Track) => track.driver({ approval_status: "pending" });
const fee = (track: Track) => insertFee(track.sql, track.next(), "dana", daysAgo(0));
/** A decision that is old enough to be reopened. */
const paid = async (track: Track) => {
	const row = await track.payout();
	await track.ada.call("PUT", `/api/payouts/${row.id}`, { status: "paid", paidOn: daysAgo(0) });
	return row;
};
const about =
	(make: (track: Track) => Promise<{ id: string }>, play: (id: string, track: Track) => Play) =>
	async (track: Track) =>
		play((await make(track)).id, track);
const IMPORT = "/uber-fees/import";
const csv = () => {
	const row = ["DRV-0001", "commission", "1.00", daysAgo(0), words("REF")];
	return `Driver ID,Category,Amount,Date,Reference\n${row.join(",")}\n`;
};
/** Drivers of the statements that are made; the stage has them. */
export const STATEMENT_DRIVERS = 2;
let series = 0;
const statement = () => madeStatement(4, STATEMENT_DRIVERS, ++series).file;

const onDriver = (name: string, intent: string, more = {}): Scene => ({
	name: `${name} on the form`,
	make: about(applicant, (id, { ada }) => form(ada, "/drivers", { intent, id, ...more })),
});
const onRequest = (
	name: string,
	fields: Readonly<Record<string, string>>,
	make = (track: Track) => track.request(),
): Scene => ({
	name: `${name} on the form`,
	make: about(make, (id, { ada }) => form(ada, "/fund-requests", { id, ...fields })),
});
const byCall = (
	name: string,
	make: (track: Track) => Promise<{ id: string }>,
	method: string,
	path: (id: string) => string,
	body: () => object = () => ({}),
): Scene => ({
	name: `${name} by a call`,
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
			(track) => track.driver(),
			(id, { ada }) => form(ada, "/drivers", { intent: "deactivate", id }),
		),
	},
	{
		name: "invite a driver on the form",
		make: async ({ ada }) => form(ada, "/drivers", { intent: "add-driver", ...personFields() }),
	},
	{
		name: "create an administrator on the form",
		make: async ({ ada }) => form(ada, "/drivers", { intent: "create-admin", ...personFields() }),
	},
	{
		name: "invite a driver by a call",
		make: async ({ ada }) => call(ada, "POST", "/api/drivers", personFields()),
	},
	{
		name: "create an administrator by a call",
		make: async ({ ada }) => call(ada, "POST", "/api/admin/create", personFields()),
	},
	byCall("approve a driver", applicant, "PUT", (id) => `${driverAt(id)}/approve`),
	byCall("reject a driver", applicant, "PUT", (id) => `${driverAt(id)}/reject`),
	byCall("deactivate a driver", (track) => track.driver(), "DELETE", driverAt),
	{
		...byCall(
			"switch a driver",
			(track) => track.driver(),
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
			(track) => track.request(),
			(id, { ada }) =>
				form(ada, "/fund-requests", { intent: "ask", id, key: key(), text: words("Which van") }),
		),
	},
	onRequest("undo a decision", { intent: "undo" }, (track) => track.approved()),
	onRequest("reopen a decision", { intent: "reopen", reason: "Wrong van" }, (track) =>
		track.approved(),
	),
	{
		name: "approve several on the form",
		make: async (track) => {
			const [one, other] = [await track.request(), await track.request()];
			const body = new URLSearchParams({ intent: "bulk-approve" });
			for (const { id } of [one, other]) body.append("ids", id);
			const play = form(track.ada, "/fund-requests", {});
			return {
				...play,
				posted: { ...play.posted, body: new TextEncoder().encode(body.toString()) },
			};
		},
	},
	byCall(
		"approve a request",
		(track) => track.request(),
		"PUT",
		requestAt,
		() => ({
			status: "approved",
		}),
	),
	byCall(
		"reject a request",
		(track) => track.request(),
		"PUT",
		requestAt,
		() => ({
			status: "rejected",
		}),
	),
	byCall(
		"reopen a decision",
		(track) => track.approved(),
		"PUT",
		requestAt,
		() => ({
			status: "pending",
		}),
	),
	byCall(
		"ask",
		(track) => track.request(),
		"POST",
		(id) => `${requestAt(id)}/messages`,
		() => ({
			text: words("Which van"),
		}),
	),
	{
		name: "gather a payout on the form",
		make: async (track) => {
			const { driverId } = await track.approved();
			return form(track.ada, "/payouts", { gather: "driver", driverId, key: key() });
		},
	},
	{
		name: "gather a payout by a call",
		make: about(
			(track) => track.approved(),
			(id, { ada }) => call(ada, "POST", "/api/payouts", { requestIds: [id] }),
		),
	},
	{
		name: "pay on the form",
		make: about(
			(track) => track.payout(),
			(id, { ada }) =>
				form(ada, `/payouts/${id}`, { intent: "pay", paidOn: daysAgo(0), reference: "Wire 17" }),
		),
	},
	{
		name: "cancel a payout on the form",
		make: about(
			(track) => track.payout(),
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
		(track) => track.payout(),
		"PUT",
		payoutAt,
		() => ({
			status: "paid",
			paidOn: daysAgo(0),
		}),
	),
	byCall(
		"cancel a payout",
		(track) => track.payout(),
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
		make: async (track) =>
			form(track.ada, "/uber-fees", { ...feeFields(), replacesId: await fee(track) }),
	},
	{
		name: "delete a fee on the form",
		make: async (track) =>
			form(track.ada, "/uber-fees", { intent: "delete", id: await fee(track) }),
	},
	{
		name: "add a fee by a call",
		make: async ({ ada }) => call(ada, "POST", "/api/uber-fees", feeFields()),
	},
	{
		name: "delete a fee by a call",
		make: async (track) => call(track.ada, "DELETE", `/api/uber-fees/${await fee(track)}`),
	},
	{
		name: "import fees by their columns",
		make: async ({ ada }) => {
			const file = { bytes: new TextEncoder().encode(csv()), name: "fees.csv", type: "text/csv" };
			const { posted } = await upload(ada, IMPORT, { intent: "upload" }, file, { field: "file" });
			const preview = await ada.request(posted.path, posted);
			return form(ada, IMPORT, formWith(preview.text, 'value="import"').fields);
		},
	},
	{
		name: "undo an import",
		make: async (track) => {
			const { body } = await callStatements(track.ada, {}, statement());
			const drivers = driversOfMade(STATEMENT_DRIVERS);
			const made = await callStatements(track.ada, { id: body.id, mode: "all", drivers });
			if (!made.body.importId) throw new Error(`not imported: ${made.text}`);
			return form(track.ada, IMPORT, { intent: "undo", id: made.body.importId });
		},
	},
	{
		name: "upload a statement",
		onlyWaits: true,
		make: async ({ ada }) =>
			upload(ada, IMPORT, { intent: "upload" }, statement(), { field: "file" }),
	},
	{
		name: "upload a statement by a call",
		onlyWaits: true,
		make: async ({ ada }) => upload(ada, "/api/statements", {}, statement(), { field: "file" }),
	},
	{
		name: "import a statement",
		remembersFirst: true,
		make: async ({ ada, sql }) => {
			// So that each time its drivers are new, and are to be remembered.
			await sql("delete from platform_drivers");
			const { body } = await callStatements(ada, {}, statement());
			const drivers = driversOfMade(STATEMENT_DRIVERS);
			return upload(ada, "/api/statements", { id: body.id, mode: "all", drivers }, undefined);
		},
	},
	{
		name: "void a trip as an administrator",
		make: async (track) => {
			const id = await insertLog(track.sql, track.next(), "dana", daysAgo(0), 40);
			return form(track.ada, "/mileage-reports", {
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
