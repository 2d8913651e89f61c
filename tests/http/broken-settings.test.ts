/** A Worker whose settings are invalid: it says so in its log, and answers every visitor. */
import { expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({
	port: await freePort(),
	vars: { FLEET_TIME_ZONE: "Atlantis" },
});

it.each(["/", "/healthz", "/api/auth/user"])(
	"answers %s with an error of its own",
	async (path) => {
		// Cloudflare always sends the visitor's address.
		const headers = { "CF-Connecting-IP": "203.0.113.7", Accept: "text/html" };
		const answer = await fetch(fleet.origin + path, { headers });
		expect(answer.status).toBe(500);
		expect(answer.headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
		expect(await answer.text()).not.toContain("Atlantis");
		expect(fleet.takeErrors().join("\n")).toContain("FLEET_TIME_ZONE");
	},
);
