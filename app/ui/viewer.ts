import type { Proven } from "../domain/context.ts";
import type { Viewer } from "./shell.tsx";

/** What the portal's header shows of the person asking. */
export function viewerOf({ user, role }: Pick<Proven, "user" | "role">): Viewer {
	return { id: user.id, role, firstName: user.firstName, lastName: user.lastName };
}
