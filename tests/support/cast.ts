/**
 * The demo fleet and its people, which every test and demonstration uses. `npm start` seeds them,
 * and the tests sign in as them. Dates are relative to a given 'now', so that there is always
 * recent data.
 */
import { addDays, dateIn } from "../../app/values/calendar-date.ts";

export const ZONE = "America/New_York";

type Person = {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly role: "admin" | "driver";
	readonly approvalStatus: "pending" | "approved" | "rejected";
	readonly driverNumber?: number;
	readonly isActive?: false;
	/** Invited but never signed in, so without an identity. */
	readonly isInvited?: true;
};

/** Everyone, by the name that tests use. */
export const CAST = {
	ada: {
		email: "admin@milepost.test",
		firstName: "Ada",
		lastName: "Admin",
		role: "admin",
		approvalStatus: "approved",
	},
	ben: {
		email: "ben@milepost.test",
		firstName: "Ben",
		lastName: "Backup",
		role: "admin",
		approvalStatus: "approved",
	},
	dana: {
		email: "dana@milepost.test",
		firstName: "Dana",
		lastName: "Driver",
		role: "driver",
		approvalStatus: "approved",
		driverNumber: 1,
	},
	omar: {
		email: "omar@milepost.test",
		firstName: "Omar",
		lastName: "Okafor",
		role: "driver",
		approvalStatus: "approved",
		driverNumber: 2,
	},
	lena: {
		email: "lena@milepost.test",
		firstName: "Łena",
		lastName: "Nguyễn",
		role: "driver",
		approvalStatus: "approved",
		driverNumber: 3,
	},
	nora: {
		email: "nora@milepost.test",
		firstName: "Nora",
		lastName: "Newcomer",
		role: "driver",
		approvalStatus: "pending",
	},
	nina: {
		email: "nina@milepost.test",
		firstName: "",
		lastName: "",
		role: "driver",
		approvalStatus: "pending",
	},
	rex: {
		email: "rex@milepost.test",
		firstName: "Rex",
		lastName: "Refused",
		role: "driver",
		approvalStatus: "rejected",
	},
	ivan: {
		email: "ivan@milepost.test",
		firstName: "Ivan",
		lastName: "Inactive",
		role: "driver",
		approvalStatus: "approved",
		driverNumber: 4,
		isActive: false,
	},
	ines: {
		email: "ines@milepost.test",
		firstName: "Inès",
		lastName: "Invited",
		role: "driver",
		approvalStatus: "approved",
		driverNumber: 5,
		isInvited: true,
	},
} as const satisfies Record<string, Person>;

export type CastName = keyof typeof CAST;

const DAY = 86_400_000;
const LOCAL_ISSUER = "local-sign-in";

/** The id of a member of the cast, fixed so that tests and screenshots are repeatable. */
export function idOf(name: CastName): string {
	const position = Object.keys(CAST).indexOf(name) + 1;
	return `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`;
}

type Row = Record<string, string | number | null>;
/** Rows to insert, by table, in an order that satisfies the foreign keys. */
export type Seed = readonly (readonly [table: string, rows: readonly Row[]])[];

function personRows(name: CastName, now: number): { user: Row; identity: Row | undefined } {
	const person: Person = CAST[name];
	const isApproved = person.approvalStatus === "approved";
	const joined = now - 40 * DAY + Object.keys(CAST).indexOf(name) * 60_000;
	return {
		user: {
			id: idOf(name),
			role: person.role,
			first_name: person.firstName,
			last_name: person.lastName,
			email: person.email,
			driver_number: person.driverNumber ?? null,
			approval_status: person.approvalStatus,
			is_active: person.isActive === false ? 0 : 1,
			created_at: joined,
			applied_at:
				person.role === "driver" && person.firstName && !person.isInvited ? joined + 120_000 : null,
			approved_at: isApproved ? joined + DAY : null,
			deactivated_at: person.isActive === false ? now - 5 * DAY : null,
			invited_at: person.isInvited ? now - DAY : null,
			invite_expires_at: person.isInvited ? now + 29 * DAY : null,
		},
		identity: person.isInvited
			? undefined
			: { issuer: LOCAL_ISSUER, subject: person.email, user_id: idOf(name), created_at: joined },
	};
}

/** Trips of the approved drivers in recent weeks, up to yesterday. */
function tripRows(now: number, zone: string): Row[] {
	const today = dateIn(zone, now);
	const rows: Row[] = [];
	const drivers: [CastName, number, number][] = [
		["dana", 45_000, 62],
		["omar", 88_120, 41],
		["lena", 12_640, 118],
	];
	for (const [name, firstReading, typical] of drivers) {
		let reading = firstReading;
		for (let daysAgo = 20; daysAgo >= 1; daysAgo--) {
			if ((daysAgo + typical) % 7 === 0) continue;
			const miles = typical + ((daysAgo * 17 + typical) % 23);
			rows.push({
				id: `10000000-0000-4000-8000-${String(drivers.findIndex(([each]) => each === name)).padStart(4, "0")}${String(daysAgo).padStart(8, "0")}`,
				driver_id: idOf(name),
				driven_on: addDays(today, -daysAgo),
				start_miles: reading,
				end_miles: reading + miles,
				notes: daysAgo % 5 === 0 ? "Airport run" : null,
				source: "seed",
				created_at: now - daysAgo * DAY,
				payload_hash: "seed",
			});
			reading += miles;
		}
	}
	return rows;
}

type Money = {
	readonly requests: Row[];
	readonly messages: Row[];
	readonly fees: Row[];
	readonly payouts: Row[];
	/** The requests in the payouts. */
	readonly paid: Row[];
};
const NO_MONEY: Money = { requests: [], messages: [], fees: [], payouts: [], paid: [] };

/**
 * The demo fleet's requests and fees: four weeks of fuel, some repairs, some pending, so that no
 * screen is empty.
 */
function moneyRows(now: number, zone: string): Money {
	const today = dateIn(zone, now);
	const requests: Row[] = [];
	const messages: Row[] = [];
	const fees: Row[] = [];
	const request = (
		owner: CastName,
		daysAgo: number,
		type: string,
		cents: number,
		description: string,
		status = "approved",
		/** The approved amount and the reason, if it is less than requested. */
		lowered?: readonly [cents: number, reason: string],
	): { readonly id: string; readonly createdAt: number } => {
		const id = `20000000-0000-4000-8000-${String(requests.length + 1).padStart(12, "0")}`;
		const rejection =
			status === "rejected" ? "Please send the receipt with the next one." : undefined;
		const createdAt = now - daysAgo * DAY - requests.length * 60_000;
		const isDecided = status === "approved" || status === "rejected";
		requests.push({
			id,
			number: 0,
			driver_id: idOf(owner),
			type,
			amount_cents: cents,
			description,
			status,
			source: "seed",
			created_at: createdAt,
			requested_on: dateIn(zone, createdAt),
			admin_notes: rejection ?? lowered?.[1] ?? null,
			decided_at: isDecided ? createdAt + 3 * 3_600_000 : null,
			decided_by: isDecided ? idOf("ada") : null,
			approved_amount_cents: status === "approved" ? (lowered?.[0] ?? cents) : null,
			payload_hash: "seed",
			payout_id: null,
		});
		return { id, createdAt };
	};
	/** Questions about a request and the driver's answers, half an hour apart. */
	const thread = (
		{ id, createdAt }: { readonly id: string; readonly createdAt: number },
		owner: CastName,
		texts: readonly string[],
	) => {
		for (const [index, text] of texts.entries())
			messages.push({
				id: `22000000-0000-4000-8000-${String(messages.length + 1).padStart(12, "0")}`,
				request_id: id,
				position: index + 1,
				author_id: index % 2 ? idOf(owner) : idOf("ada"),
				author_role: index % 2 ? "driver" : "admin",
				text,
				source: "seed",
				created_at: Math.min(now, createdAt + (index + 1) * 1_800_000),
				payload_hash: "seed",
			});
	};
	const fee = (owner: CastName, daysAgo: number, category: string, cents: number) =>
		fees.push({
			id: `21000000-0000-4000-8000-${String(fees.length + 1).padStart(12, "0")}`,
			driver_id: idOf(owner),
			category,
			amount_cents: cents,
			charged_on: addDays(today, -daysAgo),
			reference_number: `UB-${today.slice(0, 4)}-${String(fees.length + 1).padStart(3, "0")}`,
			added_by: idOf("ada"),
			created_at: now - daysAgo * DAY,
			payload_hash: "seed",
		});
	for (let week = 3; week >= 0; week--) {
		request(
			"dana",
			week * 7 + 2,
			"gas",
			31_50 + ((week * 137) % 900),
			"Fill-up after the airport runs",
		);
		request("omar", week * 7 + 4, "gas", 24_00 + ((week * 211) % 700), "Fuel, north depot");
		request("lena", week * 7 + 5, "gas", 88_00 + ((week * 173) % 1500), "Fuel for the week");
		fee("dana", week * 7 + 1, "commission", 14_20 + ((week * 97) % 400));
		fee("lena", week * 7 + 3, "service_fee", 9_75 + ((week * 61) % 300));
		if (week % 3 === 0) fee("omar", week * 7 + 6, "booking_fee", 2_50);
	}
	request("omar", 16, "maintenance", 189_00, "New front brake pads");
	request("dana", 10, "other", 42_50, "Car wash and snacks", "approved", [
		30_00,
		"The car wash only.",
	]);
	request("lena", 18, "maintenance", 120_00, "Two wiper blades and a floor mat", "approved", [
		84_00,
		"The floor mat isn't a fleet expense.",
	]);
	request("lena", 12, "other", 12_00, "Car wash", "rejected");
	const oil = request("lena", 1, "maintenance", 64_90, "Oil change", "pending");
	thread(oil, "lena", ["Was this at our workshop?", "No, on the road: the warning light was on."]);
	const fuel = request("dana", 0, "gas", 38_75, "Fill-up on Route 9", "pending");
	thread(fuel, "dana", ["Could you add the receipt, please?"]);
	requests
		.sort((one, other) => Number(one.created_at) - Number(other.created_at))
		.forEach((row, index) => {
			row.number = index + 1;
		});
	return { requests, messages, fees, ...payoutRows(requests, now, zone) };
}

/**
 * The demo fleet's payouts: requests of the first two weeks are in a paid one, those of the third
 * in an open one, and the latest are approved but unpaid.
 */
function payoutRows(requests: Row[], now: number, zone: string): { payouts: Row[]; paid: Row[] } {
	const payouts: Row[] = [];
	const paid: Row[] = [];
	const effective = ({ approved_amount_cents, amount_cents }: Row) =>
		Number(approved_amount_cents ?? amount_cents);
	const payout = (fromDaysAgo: number, toDaysAgo: number, more: (madeAt: number) => Row) => {
		const held = requests.filter(
			({ status, created_at }) =>
				status === "approved" &&
				Number(created_at) > now - (fromDaysAgo + 1) * DAY &&
				Number(created_at) <= now - toDaysAgo * DAY,
		);
		const id = `22000000-0000-4000-8000-${String(payouts.length + 1).padStart(12, "0")}`;
		const madeAt = now - Math.max(1, toDaysAgo - 1) * DAY;
		payouts.push({
			id,
			number: payouts.length + 1,
			status: "open",
			total_cents: held.reduce((sum, request) => sum + effective(request), 0),
			driver_count: new Set(held.map(({ driver_id }) => driver_id)).size,
			request_count: held.length,
			created_at: madeAt,
			created_by: idOf("ada"),
			paid_on: null,
			reference: null,
			paid_at: null,
			paid_by: null,
			payload_hash: "seed",
			...more(madeAt),
		});
		for (const request of held) {
			request.payout_id = id;
			paid.push({
				payout_id: id,
				request_id: request.id ?? null,
				driver_id: request.driver_id ?? null,
				amount_cents: effective(request),
			});
		}
	};
	payout(27, 14, (madeAt) => ({
		status: "paid",
		paid_on: dateIn(zone, madeAt),
		reference: "ACH 1187",
		paid_at: madeAt + 3_600_000,
		paid_by: idOf("ben"),
	}));
	payout(13, 7, () => ({}));
	return { payouts, paid };
}

/**
 * The drivers in Uber's sample statement in docs/samples, as the demo fleet has already matched
 * them.
 */
export function platformDriverRows(now: number): Row[] {
	const names = [
		["dana", "Dana Driver"],
		["omar", "OMAR OKAFOR"],
		["lena", "Łena Nguyễn"],
	] as const;
	return names.map(([owner, name], position) => ({
		id: `22000000-0000-4000-8000-00000000000${position + 1}`,
		driver_id: idOf(owner),
		platform: "uber",
		platform_id: `d3a0c1de-000${position + 1}-4c6e-9d10-5a8b7c6d000${position + 1}`,
		name,
		added_by: idOf("ada"),
		created_at: now - 30 * DAY,
	}));
}

/**
 * The tests' fleet, the demo fleet including its money, or just the administrator that every local
 * database has.
 * @param zone the fleet's time zone
 */
export function seedOf(now: number, who: "everyone" | "demo" | "admin", zone: string = ZONE): Seed {
	const money = who === "demo" ? moneyRows(now, zone) : NO_MONEY;
	const names = who === "admin" ? (["ada"] as const) : (Object.keys(CAST) as CastName[]);
	const people = names.map((name) => personRows(name, now));
	return [
		["users", people.map(({ user }) => user)],
		[
			"identities",
			people.map(({ identity }) => identity).filter((identity) => identity !== undefined),
		],
		["mileage_logs", who === "admin" ? [] : tripRows(now, zone)],
		["payouts", money.payouts],
		["fund_requests", money.requests],
		["request_messages", money.messages],
		["payout_requests", money.paid],
		["uber_fees", money.fees],
		["platform_drivers", who === "demo" ? platformDriverRows(now) : []],
	];
}
