/** Runs Remix with one handler per line of the route table, on a small, really rendered build. */
import type { AppLoadContext, EntryContext, ServerBuild } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import {
	isRouteErrorResponse,
	Outlet,
	RemixServer,
	useLoaderData,
	useRouteError,
} from "@remix-run/react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RouteRule } from "../routing/routes.ts";
import { createHandlers, type LazyBuild } from "./remix.ts";

const NESTED = { reading: 45_210 };
const trips = vi.fn((): unknown => ({ title: "Every trip", nested: NESTED }));
const requests = vi.fn(() => ({ title: "Every request" }));
const logged = vi.fn();
/** What the screen was given, and what Remix wrote for client scripts. */
let seen: { nested?: unknown } | undefined;
let handoff = "";

function Screen() {
	const view = useLoaderData() as { title: string; nested?: unknown };
	seen = view;
	return <h1>{view.title}</h1>;
}

function ErrorBoundary() {
	const error = useRouteError();
	return <p>{isRouteErrorResponse(error) ? `refused: ${error.status}` : "went wrong"}</p>;
}

function handleDocument(
	request: Request,
	status: number,
	headers: Headers,
	remix: EntryContext,
): Response {
	handoff = remix.serverHandoffString ?? "";
	const html = renderToStaticMarkup(<RemixServer context={remix} url={request.url} />);
	return new Response(html, { status, headers });
}

const route = (id: string, path: string | undefined, module: object) => ({
	id,
	path,
	...(id === "root" ? {} : { parentId: "root" }),
	...(path === undefined && id !== "root" ? { index: true } : {}),
	module,
});
const ROUTES = [
	route("root", "", { default: Outlet, ErrorBoundary }),
	route("routes/_index", undefined, { default: () => <h1>Home</h1> }),
	route("routes/trips", "trips", { default: Screen, loader: trips }),
	route("routes/requests", "requests", { default: Screen, loader: requests }),
	route("routes/$", "*", {
		default: Screen,
		loader: () => {
			throw new Response(null, { status: 404 });
		},
	}),
	route("routes/api", "api/trips", { loader: () => new Response("[1]") }),
];
const byId = <T,>(of: (each: (typeof ROUTES)[number]) => T) =>
	Object.fromEntries(ROUTES.map((each) => [each.id, of(each)]));
const build = {
	entry: { module: { default: handleDocument, handleError: logged } },
	routes: byId((each) => each),
	assets: {
		entry: { imports: [], module: "/entry.js" },
		routes: byId(({ module, ...rest }) => ({
			...rest,
			module: `/${rest.id}.js`,
			hasLoader: "loader" in module,
		})),
		url: "/manifest.js",
		version: "1",
	},
	publicPath: "/",
	assetsBuildDirectory: "",
	future: {},
	isSpaMode: false,
	basename: "/",
	mode: "production",
} as unknown as ServerBuild;

const handlerFor = createHandlers(build);
/** Each line's handler is made once and then reused. */
const lines = new Map<string, RouteRule>();
function lineOf(path: string): RouteRule {
	const line = lines.get(path) ?? ({ path } as RouteRule);
	lines.set(path, line);
	return line;
}

/** What the handler of a line answers for a URL. */
async function ask(line: string, address = line): Promise<readonly [number, string]> {
	const request = new Request(`http://localhost${address}`);
	const handle = await handlerFor(lineOf(line));
	const answer = await handle(request, {} as AppLoadContext);
	return [answer.status, await answer.text()];
}

beforeEach(() => {
	vi.clearAllMocks();
	trips.mockReturnValue({ title: "Every trip", nested: NESTED });
	seen = undefined;
});

describe("a route's handler", () => {
	it("shows its screen, and home at the index", async () => {
		expect(await ask("/trips")).toEqual([200, "<h1>Every trip</h1>"]);
		expect(await ask("/")).toEqual([200, "<h1>Home</h1>"]);
		expect(await ask("/api/trips")).toEqual([200, "[1]"]);
	});

	it("is made once", () => {
		expect(handlerFor(lineOf("/trips"))).toBe(handlerFor(lineOf("/trips")));
		expect(handlerFor(lineOf("/trips"))).not.toBe(handlerFor(lineOf("/requests")));
	});

	it("loads a module on demand, once", async () => {
		const { routes } = build;
		const load = vi.fn(async () => routes["routes/trips"]?.module);
		const lazy = createHandlers({
			...build,
			routes: { ...routes, "routes/trips": { ...routes["routes/trips"], module: load } },
		} as LazyBuild);
		expect(load).not.toHaveBeenCalled();
		for (const handle of [await lazy(lineOf("/trips")), await lazy(lineOf("/trips"))]) {
			const answer = await handle(new Request("http://localhost/trips"), {} as AppLoadContext);
			expect(await answer.text()).toBe("<h1>Every trip</h1>");
		}
		expect(load).toHaveBeenCalledTimes(1);
	});

	it("serves no other route", async () => {
		expect(await ask("/trips", "/requests")).toEqual([404, "<p>refused: 404</p>"]);
		expect(await ask("/trips", "/api/trips")).toEqual([404, "<p>refused: 404</p>"]);
		expect(requests).not.toHaveBeenCalled();
		expect(trips).not.toHaveBeenCalled();
	});

	it("answers an unknown path with the catch-all's refusal", async () => {
		expect(await ask("*", "/no-such-page")).toEqual([404, "<p>refused: 404</p>"]);
	});

	it("shows the error boundary for what a loader refuses, and logs nothing", async () => {
		trips.mockImplementation(() => {
			throw new Response(null, { status: 403 });
		});
		expect(await ask("/trips")).toEqual([403, "<p>refused: 403</p>"]);
		expect(logged).not.toHaveBeenCalled();
	});

	it("shows the error boundary for a fault, and logs it once", async () => {
		trips.mockImplementation(() => {
			throw new Error("broken");
		});
		expect(await ask("/trips")).toEqual([500, "<p>went wrong</p>"]);
		expect(logged).toHaveBeenCalledOnce();
		// The next request isn't affected.
		trips.mockReturnValue({ title: "Every trip" });
		expect(await ask("/trips")).toEqual([200, "<h1>Every trip</h1>"]);
	});

	it("passes a redirect on", async () => {
		trips.mockReturnValue(redirect("/requests", 303));
		expect((await ask("/trips"))[0]).toBe(303);
	});

	it("does not exist for a line without a route", async () => {
		await expect(handlerFor(lineOf("/nowhere"))).rejects.toThrow("no route for /nowhere");
	});
});

describe("a view", () => {
	it("reaches its screen as the loader made it", async () => {
		await ask("/trips");
		expect(seen?.nested).toBe(NESTED);
	});

	it("isn't serialized for client scripts", async () => {
		await ask("/trips");
		expect(handoff).not.toContain("Every trip");
	});

	it("belongs to one request", async () => {
		trips.mockReturnValueOnce({ title: "Dana's" }).mockReturnValueOnce({ title: "Omar's" });
		const answers = await Promise.all([ask("/trips"), ask("/trips")]);
		expect(answers.map(([, html]) => html)).toEqual([
			"<h1>Dana&#x27;s</h1>",
			"<h1>Omar&#x27;s</h1>",
		]);
	});
});
