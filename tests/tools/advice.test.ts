/** Commands in messages are for the fleet that the tool was run on, never for another one. */
import { afterEach, expect, it, vi } from "vitest";
import { CloudflareError } from "../../tools/cloudflare-api.ts";
import type { Ready } from "../../tools/deploy-checks.ts";
import { withLock } from "../../tools/deploy-steps.ts";
import { runCheck } from "../../tools/doctor-checks.ts";
import { emailTaken } from "../../tools/setup-people.ts";
import { currentTime } from "../support/clock.ts";
import { openDatabase } from "../support/database.ts";

const bench = await openDatabase("nobody", currentTime());
afterEach(() => {
	vi.restoreAllMocks();
});

/** A deployment of staging during which something happens to the release. */
const deploying = (releaseNow: () => unknown): Ready =>
	({
		deployment: { env: "staging", worker: "milepost-staging", database: { name: "d", id: "i" } },
		db: bench.d1,
		pending: [],
		release: "one",
		api: async (path: string) => (path.endsWith("/bookmark") ? { bookmark: "b" } : releaseNow()),
	}) as unknown as Ready;

it("a deployment of staging never says to deploy production", async () => {
	vi.spyOn(console, "log").mockImplementation(() => undefined);
	const two = { deployments: [{ versions: [{ version_id: "two" }] }] };
	await expect(
		withLock(
			deploying(() => two),
			async () => undefined,
		),
	).rejects.toThrow(
		/has just deployed milepost-staging: .* run npm run deploy -- --env staging again\.$/,
	);
	const down = () => {
		throw new CloudflareError("Cloudflare answered 500: down.", 500);
	};
	await expect(withLock(deploying(down), async () => undefined)).rejects.toThrow(
		/: npm run deploy -- --env staging --dry-run says .*, and npm run deploy -- --env staging continues/,
	);
});

it("the first administrator of staging is never made one of production", () => {
	expect(emailTaken("bo@example.com", "staging").message).toMatch(
		/: CLOUDFLARE_ENV=staging npm run admin -- role bo@example\.com admin --remote makes/,
	);
	expect(emailTaken("bo@example.com", "").message).toMatch(/: npm run admin -- role/);
});

it("a checkup of staging never says to close a year of production", async () => {
	await bench.rows("insert into archived_years (year, closed_at) values (2020, 1)");
	const fleet = {
		db: bench.d1,
		receipts: { get: async () => undefined },
		now: currentTime(),
		sendsMail: false,
		isDeployed: true,
		receiptsRead: 1,
	};
	expect((await runCheck("archive", { ...fleet, env: "staging" })).words).toContain(
		": CLOUDFLARE_ENV=staging npm run archive -- --year 2020 --remote goes on",
	);
	expect((await runCheck("archive", fleet)).words).toContain(": npm run archive -- --year");
});
