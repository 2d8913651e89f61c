import { isAllowed, type Method } from "../routing/routes.ts";
import type { Viewer } from "./navigation.tsx";
import { useView } from "./use-view.ts";

/**
 * Says whether the person on the screen may send a request, by the permission matrix, so that no
 * screen offers what would be refused. Only for server-rendered parts: islands have no view.
 */
export function useMay(): (method: Method, address: string) => boolean {
	const { viewer } = useView<{ viewer: Viewer }>();
	return (method, address) => isAllowed(viewer.role, method, address.split(/[?#]/)[0] ?? "");
}
