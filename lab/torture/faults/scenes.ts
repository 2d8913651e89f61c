/**
 * Every command as one request, with new rows for each run, so that it can be sent during a fault
 * and again afterwards.
 */
import { idOf } from "../../../tests/support/cast.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { multipart, type SentFile } from "../../../tests/support/forms.ts";
import type { Client } from "../../../tests/support/worker.ts";
import type { RowFactory } from "../races/subjects.ts";

/** A request with a body that is the same each time it is sent. */
export type Posted = {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
};
export type Play = {
	readonly client: Client;
	readonly posted: Posted;
	/** Typed text, which the form must show again after a failure. */
	readonly typed: readonly string[];
};
export type Scene = {
	readonly name: string;
	readonly make: (factory: RowFactory) => Promise<Play>;
	/** Repeating it has another effect. */
	readonly isNotRepeatable?: true;
	/** Another command comes first and stays in effect: drivers are remembered before the import. */
	readonly remembersFirst?: true;
	/** It only uploads a file for later use. */
	readonly onlyWaits?: true;
	/** It stores the file if it can, and works without it. */
	readonly hasFile?: true;
};

type Fields = Readonly<Record<string, string>>;
const TYPED =
	/^(notes|description|text|reason|adminNotes|reference|firstName|lastName|email|accountCode|fileName)$/;
const typedOf = (fields: Fields) =>
	Object.entries(fields)
		.filter(([name]) => TYPED.test(name))
		.map(([, text]) => text);

/** A form post as a browser without JavaScript sends it. */
export const form = (client: Client, path: string, fields: Fields): Play => ({
	client,
	posted: {
		method: "POST",
		path,
		headers: { "Content-Type": "application/x-www-form-urlencoded" },
		body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
	},
	typed: typedOf(fields),
});

/** A form with a file. If it is refused, its fields are shown again. */
export async function upload(
	client: Client,
	path: string,
	fields: Fields,
	file: SentFile | undefined,
	{ headers = {}, field }: { headers?: Fields; field?: string } = {},
): Promise<Play> {
	const sent = await multipart(fields, file, field);
	const posted = { ...sent, path, headers: { ...sent.headers, ...headers } };
	return { client, posted, typed: path.startsWith("/api") ? [] : typedOf(fields) };
}

/** A JSON request with its own idempotency key. */
export const call = (client: Client, method: string, path: string, body: object = {}): Play => ({
	client,
	posted: {
		method,
		path,
		headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
		body: new TextEncoder().encode(JSON.stringify(body)),
	},
	typed: [],
});

let made = 0;
/** Unique text. */
export const words = (what: string) => `${what} ${++made} of the torture`;
export const key = () => crypto.randomUUID();

export const tripFields = (): Record<string, string> => {
	made += 1;
	return {
		key: key(),
		date: daysAgo(0),
		startOdometer: String(1000 + made * 20),
		endOdometer: String(1010 + made * 20),
		notes: words("Airport"),
	};
};
export const requestFields = (): Record<string, string> => ({
	key: key(),
	type: "gas",
	amount: `${20 + (++made % 50)}.50`,
	description: words("Fuel"),
});
export const feeFields = (): Record<string, string> => ({
	key: key(),
	driverId: idOf("dana"),
	category: "other",
	amount: "12.50",
	date: daysAgo(0),
	description: words("Fee"),
	referenceNumber: `T${++made}`,
});
/** A person who has no account yet. */
export const personFields = (): Record<string, string> => {
	made += 1;
	return {
		key: key(),
		email: `fault${made}@milepost.test`,
		firstName: "Fay",
		lastName: `Fault${made}`,
	};
};
