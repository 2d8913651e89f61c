/**
 * Gives Remix one handler per line of the route table. Remix ranks all the routes it knows each
 * time it matches a path, four times per page; our table has already found the route, so each
 * handler knows only that one.
 */
import {
	type AppLoadContext,
	createRequestHandler,
	defer,
	type LoaderFunctionArgs,
	type ServerBuild,
} from "@remix-run/cloudflare";
import type { RouteRule } from "../routing/routes.ts";

type Handler = (request: Request, context: AppLoadContext) => Promise<Response>;
type Route = NonNullable<ServerBuild["routes"][string]>;
type Module = Route["module"];
/** Remix's build, in which a route's module may be loaded on demand (tools/office-routes.ts). */
export type LazyBuild = Omit<ServerBuild, "routes"> & {
	readonly routes: Record<
		string,
		Omit<Route, "module"> & { readonly module: Module | (() => Promise<Module>) }
	>;
};

const matchesRule =
	({ path }: RouteRule) =>
	(route: Pick<Route, "index" | "path">): boolean =>
		path === "/" ? route.index === true : route.path === path.replace(/^\//, "");

/** Omits an object from any JSON it is part of. */
const toJSON = () => undefined;

/**
 * Passes a loader's view to its screen as it is. Remix would write it as JSON and parse it, and
 * then write it once more for client scripts, which our documents don't have.
 */
function withPlainView(route: Route): Route {
	const { loader, default: screen } = route.module;
	if (!loader || !screen) return route;
	const plainLoader = async (args: LoaderFunctionArgs) => {
		const view: unknown = await loader(args);
		const isPlain = typeof view === "object" && view !== null && !(view instanceof Response);
		return isPlain ? defer({ ...view, toJSON }) : view;
	};
	return { ...route, module: { ...route.module, loader: plainLoader } };
}

async function loaded(route: LazyBuild["routes"][string]): Promise<Route> {
	const { module } = route;
	return { ...route, module: typeof module === "function" ? await module() : module };
}

/** The build reduced to the root and one route. */
async function buildFor(build: LazyBuild, rule: RouteRule): Promise<ServerBuild> {
	const listed = Object.values(build.routes).find(matchesRule(rule));
	if (!listed || !build.routes.root) throw new Error(`Remix has no route for ${rule.path}`);
	const [root, route] = await Promise.all([loaded(build.routes.root), loaded(listed)]);
	const { assets } = build;
	const manifests = [root, route].map(({ id }) => [id, assets.routes[id]]);
	return {
		...build,
		routes: { root, [route.id]: withPlainView(route) },
		assets: { ...assets, routes: Object.fromEntries(manifests) },
	};
}

/** Returns Remix's handler for a line of the route table; it is made when it is first needed. */
export function createHandlers(build: LazyBuild): (rule: RouteRule) => Promise<Handler> {
	const handlers = new Map<RouteRule, Promise<Handler>>();
	return (rule) => {
		let handler = handlers.get(rule);
		if (!handler) {
			handler = buildFor(build, rule).then((own) => createRequestHandler(own, "production"));
			handlers.set(rule, handler);
		}
		return handler;
	};
}
