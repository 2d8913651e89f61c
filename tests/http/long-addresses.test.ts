/**
 * URLs of the maximum length: every answer's header stays small enough for proxies and clients (16
 * KB), and longer URLs are refused before any lookup.
 */
import { describe, expect, it } from "vitest";
import { MAX_URL_LENGTH } from "../../app/http/security.server.ts";
import { ROUTES } from "../../app/routing/routes.ts";
import { QUERY_NAMES } from "../../lab/torture/fuzz/grammar.ts";
import { idOf } from "../support/cast.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const MAX_HEADER = 16 * 1024;
const headOf = (headers: Headers) =>
	[...headers].reduce((size, [name, value]) => size + name.length + value.length + 4, 0);

/** A query that grows when it is encoded into another URL. */
const oneField = (name: string, length: number) => `?${name}=`.padEnd(length, "%22&");
/** Every filter, each with a long value. */
const allFields = (length: number) =>
	`?${QUERY_NAMES.map((name) => `${name}=${"%22".repeat(30)}`).join("&")}`.slice(0, length);

describe("a URL of the maximum length", async () => {
	const people = {
		"a visitor": fleet.client(),
		"a driver": await fleet.as("dana"),
		"an administrator": await fleet.as("ada"),
	};
	const paths = ROUTES.filter(({ methods }) => methods.GET).map(({ path }) =>
		path.replace(":id", idOf("dana")),
	);

	it.each(Object.entries(people))("gives %s an answer with a small header", async (_, client) => {
		for (const path of paths.filter((each) => each !== "/api/logout"))
			for (const query of [
				oneField("statement", MAX_URL_LENGTH - path.length),
				allFields(MAX_URL_LENGTH - path.length),
			]) {
				const { status, headers } = await client.get(path + query);
				expect(status, path).not.toBe(414);
				expect(headOf(headers), path).toBeLessThan(MAX_HEADER);
			}
	});

	it("is refused when it is longer, as a page and as a call", async () => {
		const ada = await fleet.as("ada");
		for (const path of ["/drivers", "/api/drivers", "/drivers/", "/no-such-page"]) {
			const answer = await ada.get(path + oneField("q", MAX_URL_LENGTH + 1 - path.length));
			expect(answer.status, path).toBe(414);
			expect(answer.text).toContain("too long");
			expect(headOf(answer.headers)).toBeLessThan(2000);
		}
	});

	it("is returned to after sign-in only if it is short", async () => {
		const short = await fleet.client().get("/reports/generate?type=driver");
		expect(short.headers.get("Refresh")).toBe(
			"1; url=/api/login?returnTo=%2Freports%2Fgenerate%3Ftype%3Ddriver",
		);
		const long = await fleet.client().get(`/reports/generate?type=${"x".repeat(3000)}`);
		expect(long.headers.get("Refresh")).toBe("1; url=/api/login");
	});
});
