/** Drivers' commands. */
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { insertLog } from "../../../tests/support/mileage.ts";
import { JPEG, PNG } from "../../../tests/support/request-form.ts";
import type { Row, RowFactory } from "../races/subjects.ts";
import { call, form, key, requestFields, type Scene, tripFields, upload, words } from "./scenes.ts";

const trip = async (factory: RowFactory): Promise<Row> => {
	const driver = await factory.driver();
	const more = { driver_id: driver.driverId };
	const id = await insertLog(factory.sql, factory.next(), "dana", daysAgo(0), 40, more);
	return { ...driver, id, about: [] };
};
const asked = async (factory: RowFactory): Promise<Row> => {
	const row = await factory.request();
	await factory.ada.call("POST", `/api/fund-requests/${row.id}/messages`, { text: words("Which") });
	return row;
};
/** What a phone adds to a form that it sends later. */
const fromPhone = ({ driverId }: { driverId: string }) => ({ asUser: driverId });
const LATER = { headers: { "Captured-Ago": "60000" } };

export const DRIVER_SCENES: readonly Scene[] = [
	{
		name: "log a trip",
		make: async (factory) => form((await factory.driver()).driver, "/mileage", tripFields()),
	},
	{
		name: "log a trip through the API",
		make: async (factory) =>
			call((await factory.driver()).driver, "POST", "/api/mileage", tripFields()),
	},
	{
		name: "correct a trip",
		make: async (factory) => {
			const { driver, id } = await trip(factory);
			return form(driver, "/mileage", { ...tripFields(), correctsId: id, confirm: "on" });
		},
	},
	{
		name: "void a trip",
		make: async (factory) => {
			const { driver, id } = await trip(factory);
			return form(driver, "/mileage", { intent: "void", id });
		},
	},
	{
		name: "submit a request",
		make: async (factory) => form((await factory.driver()).driver, "/requests", requestFields()),
	},
	{
		name: "submit a request with a receipt",
		hasFile: true,
		make: async (factory) =>
			upload((await factory.driver()).driver, "/requests", requestFields(), JPEG),
	},
	{
		name: "submit a request through the API",
		make: async (factory) =>
			call((await factory.driver()).driver, "POST", "/api/fund-requests", requestFields()),
	},
	{
		name: "correct a request",
		make: async (factory) => {
			const { driver, id } = await factory.request();
			return form(driver, "/requests", { ...requestFields(), replacesId: id });
		},
	},
	{
		name: "withdraw a request",
		make: async (factory) => {
			const { driver, id } = await factory.request();
			return form(driver, "/requests", { intent: "withdraw", id });
		},
	},
	{
		name: "add a receipt",
		make: async (factory) => {
			const { driver, id } = await factory.request();
			return upload(driver, "/requests", { intent: "add-receipt", id }, PNG);
		},
	},
	{
		name: "answer a question",
		hasFile: true,
		make: async (factory) => {
			const { driver, id } = await asked(factory);
			const fields = { intent: "answer", requestId: id, text: words("The van"), key: key() };
			return upload(driver, "/requests", fields, PNG);
		},
	},
	{
		name: "answer a question through the API",
		make: async (factory) => {
			const { driver, id } = await asked(factory);
			const path = `/api/fund-requests/${id}/messages`;
			return call(driver, "POST", path, { text: words("The van") });
		},
	},
	{
		name: "keep a receipt",
		make: async (factory) => {
			const { driver } = await factory.driver();
			return upload(driver, "/api/receipts", {}, PNG, { headers: { "Idempotency-Key": key() } });
		},
	},
	{
		name: "send a trip from the outbox",
		make: async (factory) => {
			const row = await factory.driver();
			const fields = { ...tripFields(), ...fromPhone(row) };
			return upload(row.driver, "/api/outbox/mileage", fields, undefined, LATER);
		},
	},
	{
		name: "send a request from the outbox",
		hasFile: true,
		make: async (factory) => {
			const row = await factory.driver();
			const fields = { ...requestFields(), ...fromPhone(row) };
			return upload(row.driver, "/api/outbox/requests", fields, JPEG, LATER);
		},
	},
	{
		name: "send an answer from the outbox",
		hasFile: true,
		make: async (factory) => {
			const row = await asked(factory);
			const fields = { requestId: row.id, text: words("The van"), key: key(), ...fromPhone(row) };
			return upload(row.driver, "/api/outbox/answers", fields, undefined, LATER);
		},
	},
	{
		name: "complete a profile",
		make: async (factory) => {
			const { driver } = await factory.driver({
				first_name: "",
				last_name: "",
				approval_status: "pending",
				applied_at: null,
			});
			return form(driver, "/profile", { firstName: "Fay", lastName: words("Fault").slice(0, 20) });
		},
	},
	{
		name: "choose emails",
		make: async (factory) =>
			form((await factory.driver()).driver, "/account", { remindOfMiles: "on" }),
	},
];
