/** What is left to do after a change is made. */
import type { AuthenticatedContext } from "./context.ts";

/**
 * Cleans up once the change is made. A failure doesn't fail the request, which would then say that
 * nothing was changed: leftovers are swept later.
 */
export async function tidyUp(
	{ requestId, reportFault }: Pick<AuthenticatedContext, "requestId" | "reportFault">,
	work: Promise<unknown>,
): Promise<void> {
	try {
		await work;
	} catch (error) {
		// A database or file store that is down has been logged and reported by now.
		if (!(error instanceof Error)) return;
		console.error(JSON.stringify({ level: "error", requestId, tidyUp: error.message }));
		reportFault(error);
	}
}
