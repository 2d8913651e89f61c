/**
 * The people of the tests and of the demo fleet: `npm start` seeds them, and the tests sign in as
 * them. Dates are relative to a given 'now', so that there is always recent data.
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
export const LOCAL_ISSUER = "local-sign-in";

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
 * The tests' fleet, or just the administrator that every local database has. The demo fleet is in
 * tools/demo-fleet.ts.
 * @param zone the fleet's time zone
 */
export function seedOf(now: number, who: "everyone" | "admin", zone: string = ZONE): Seed {
	const names = who === "admin" ? (["ada"] as const) : (Object.keys(CAST) as CastName[]);
	const people = names.map((name) => personRows(name, now));
	return [
		["users", people.map(({ user }) => user)],
		[
			"identities",
			people.map(({ identity }) => identity).filter((identity) => identity !== undefined),
		],
		["mileage_logs", who === "admin" ? [] : tripRows(now, zone)],
	];
}
