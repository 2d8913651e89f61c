/**
 * Remix, with a handler for each line of the route table. It ranks all the routes it was given
 * whenever it matches a path, four times a page: a handler is given the one that is meant, which the
 * table knows already.
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

const isOf =
	({ path }: RouteRule) =>
	(route: Route | undefined): boolean =>
		path === "/" ? route?.index === true : route?.path === path.replace(/^\//, "");

/** Keeps an object out of every JSON it is part of. */
const toJSON = () => undefined;

/**
 * A screen's loader, whose view goes to the screen as it is: Remix would write it as JSON and read
 * it again, and write it once more for scripts that no document of ours has.
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

/** The build with the root and the route of one line of the table, and nothing else. */
function buildFor(build: ServerBuild, rule: RouteRule): ServerBuild {
	const route = Object.values(build.routes).find(isOf(rule));
	const { root } = build.routes;
	if (!route || !root) throw new Error(`Remix has no route for ${rule.path}`);
	const { assets } = build;
	const manifests = [root, route].map(({ id }) => [id, assets.routes[id]]);
	return {
		...build,
		routes: { root, [route.id]: withPlainView(route) },
		assets: { ...assets, routes: Object.fromEntries(manifests) },
	};
}

/** Gives Remix's handler for a line of the route table, made when it is first asked for. */
export function handlersOf(build: ServerBuild): (rule: RouteRule) => Handler {
	const handlers = new Map<RouteRule, Handler>();
	return (rule) => {
		let handler = handlers.get(rule);
		if (!handler) {
			handler = createRequestHandler(buildFor(build, rule), "production");
			handlers.set(rule, handler);
		}
		return handler;
	};
}
