import type { AuthenticatedContext } from "../domain/kernel/context.ts";
import type { Viewer } from "./navigation.tsx";

/** What the portal's header shows about the signed-in person. */
export function toViewer({
	user,
	role,
	waiting,
}: Pick<AuthenticatedContext, "user" | "role" | "waiting">): Viewer {
	return { id: user.id, role, firstName: user.firstName, lastName: user.lastName, waiting };
}
