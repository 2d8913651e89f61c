/** Examples of the API's answers. Tests compare them with what it really answers. */
import type { WebhookEvent } from "../../domain/webhooks/rules.ts";

const DANA = "6f3e0f57-7a0e-4a53-9c52-1c9f6f1d2a01";
const ADA = "0c4b6f6e-7f0d-4a49-8a53-2f8f8f3c1b02";
const TRIP_ID = "a1d7c7b2-3e6b-4b60-9b55-5f6f0f0c3d03";
const REQUEST_ID = "b2e8d8c3-4f7c-4c71-8c66-6a7a1a1d4e04";
const PAYOUT_ID = "c3f9e9d4-5a8d-4d82-9d77-7b8b2b2e5f05";
const FEE_ID = "d4a0f0e5-6b9e-4e93-8e88-8c9c3c3f6a06";
const RECEIPT_ID = "e5b1a1f6-7c0f-4fa4-9f99-9d0d4d4a7b07";
const MESSAGE_ID = "f6c2b2a7-8d1a-4ab5-8aaa-0e1e5e5b8c08";
const AGREEMENT_ID = "07d3c3b8-9e2b-4bc6-8bbb-1f2f6f6c9d09";
const CHARGE_ID = "18e4d4c9-0f3c-4cd7-8ccc-2a3a7a7d0e0a";
const SETTLEMENT_ID = "29f5e5d0-1a4d-4de8-8ddd-3b4b8b8e1f0b";
const IMPORT_ID = "a7d3c3b8-9e2b-4bc6-9bbb-1f2f6f6c9d09";

export const USER = {
	id: DANA,
	role: "driver",
	firstName: "Dana",
	lastName: "Driver",
	email: "dana@example.com",
	driverId: "DRV-0001",
	approvalStatus: "approved",
	isActive: true,
	createdAt: "2026-01-05T15:04:05.000Z",
	approvedAt: "2026-01-06T09:30:00.000Z",
};

export const TRIP = {
	id: TRIP_ID,
	driverId: DANA,
	date: "2026-11-20",
	startOdometer: 48210,
	endOdometer: 48296,
	calculatedMiles: 86,
	notes: null,
	purpose: null,
	personalMiles: null,
	createdAt: "2026-11-20T22:41:07.512Z",
	capturedAt: null,
	driverIdCode: "DRV-0001",
	status: "logged",
	flags: [],
};

export const MESSAGE = {
	id: MESSAGE_ID,
	by: { firstName: "Ada", lastName: "Admin", role: "admin" },
	text: "Which car was it for?",
	createdAt: "2026-11-20T23:10:00.000Z",
};

export const WEEK_MESSAGE = {
	...MESSAGE,
	by: { firstName: "Dana", lastName: "Driver", role: "driver" },
	text: "Why is Tuesday missing?",
};

export const REQUEST = {
	id: REQUEST_ID,
	requestNumber: "FR-000123",
	driverId: DANA,
	driverIdCode: "DRV-0001",
	driver: { firstName: "Dana", lastName: "Driver" },
	type: "gas",
	amount: "42.50",
	approvedAmount: null,
	description: "Fuel for the week",
	receiptUrl: `/api/receipts/${RECEIPT_ID}`,
	status: "pending",
	isPossibleDuplicate: false,
	spentOn: null,
	isLate: false,
	createdAt: "2026-11-20T22:45:00.000Z",
	capturedAt: null,
	adminNotes: null,
	decidedAt: null,
	decidedBy: null,
	question: "asked",
	messages: [MESSAGE],
	payout: null,
};
export const APPROVED = {
	...REQUEST,
	status: "approved",
	approvedAmount: "40.00",
	adminNotes: "Without the car wash",
	decidedAt: "2026-11-21T08:00:00.000Z",
	decidedBy: { firstName: "Ada", lastName: "Admin" },
};

export const PAYOUT = {
	id: PAYOUT_ID,
	number: "PO-000012",
	status: "open",
	total: "40.00",
	createdAt: "2026-11-21T08:05:00.000Z",
	createdBy: { firstName: "Ada", lastName: "Admin" },
	paidOn: null,
	reference: null,
	billsDownloadedAt: null,
	lines: [
		{
			driverId: DANA,
			driverIdCode: "DRV-0001",
			name: "Dana Driver",
			amount: "40.00",
			requests: [{ id: REQUEST_ID, requestNumber: "FR-000123", amount: "40.00" }],
			settlements: [],
		},
	],
};
export const PAID = { ...PAYOUT, status: "paid", paidOn: "2026-11-21", reference: "ACH 4471" };

export const FEE = {
	id: FEE_ID,
	driverId: DANA,
	driverIdCode: "DRV-0001",
	category: "service_fee",
	amount: "18.75",
	date: "2026-11-16",
	referenceNumber: "UB-2026-001",
	description: null,
	createdAt: "2026-11-17T12:00:00.000Z",
	addedBy: ADA,
};

export const AGREEMENT = {
	id: AGREEMENT_ID,
	driverId: DANA,
	from: "2026-11-16",
	base: "net",
	faresPercent: 60,
	tipsPercent: 100,
	promotionsPercent: 100,
	tollsTo: "driver",
	weeklyRent: "120.00",
	weeklyFee: "0.00",
	fleetPercent: 0,
	perMileMills: 0,
};

export const CHARGE = {
	id: CHARGE_ID,
	driverId: DANA,
	kind: "damage",
	date: "2026-11-18",
	amount: "250.00",
	direction: "against",
	instalments: 4,
	note: "Rear bumper",
	receiptUrl: `/api/receipts/${RECEIPT_ID}`,
};

export const SETTLEMENT = {
	id: SETTLEMENT_ID,
	number: "ST-000001",
	driverId: DANA,
	driverIdCode: "DRV-0001",
	week: { from: "2026-11-09", to: "2026-11-15" },
	status: "draft",
	carriedIn: "0.00",
	lines: [
		{
			kind: "fares",
			platform: "uber",
			text: "Fares after fees: 60% of $750.00",
			amount: "450.00",
		},
		{ kind: "cash", platform: "uber", text: "Cash collected", amount: "-180.00" },
		{ kind: "rent", platform: null, text: "Weekly rent", amount: "-120.00" },
	],
	result: "150.00",
	carriedOut: "0.00",
	payable: "150.00",
	payout: null,
};

export const EFFICIENCY = {
	driverId: DANA,
	driverIdCode: "DRV-0001",
	firstName: "Dana",
	lastName: "Driver",
	totalMiles: 1240,
	totalFuelCost: "812.40",
	costPerMile: "0.66",
};

export const SUMMARY = { fuelExpenses: "812.40", uberFees: "348.10", totalSpend: "1160.50" };

export const PEOPLE = {
	people: [{ id: DANA, label: "Dana Driver (DRV-0001)", email: "dana@example.com" }],
	found: `1 match for "dana".`,
};

export const RECEIPT = {
	id: RECEIPT_ID,
	receiptUrl: `/api/receipts/${RECEIPT_ID}`,
	fileName: "fuel.jpg",
	mediaType: "image/jpeg",
	byteSize: 182044,
};

/** What an event is about, by the first part of its name. */
const ROWS: Readonly<Record<string, { readonly id: string; readonly number: string | null }>> = {
	driver: { id: DANA, number: "DRV-0001" },
	request: { id: REQUEST_ID, number: "FR-000123" },
	payout: { id: PAYOUT_ID, number: "PO-000012" },
	statement: { id: IMPORT_ID, number: null },
	settlement: { id: SETTLEMENT_ID, number: "ST-000001" },
};
/** An event, as a webhook receives it. */
export const eventOf = (type: WebhookEvent) => ({
	id: "8c1f0a6be2d94f7f9b1e6f0d3c2a5b74",
	type,
	createdAt: "2026-11-21T08:00:00.000Z",
	data:
		type === "driver.applied"
			? { ...ROWS.driver, number: null }
			: ROWS[type.slice(0, type.indexOf("."))],
});

export const ERROR = {
	message: "Ending odometer must be greater than starting odometer",
	fields: { endOdometer: ["Ending odometer must be greater than starting odometer"] },
};
