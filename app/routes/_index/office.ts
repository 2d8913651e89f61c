/** The Fleet Overview: what `/` is to administrators and accountants. */
import type { RequestContext } from "../../auth/request-context.ts";
import type { Results } from "../../db/client.server.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { firstStepsFrom } from "./first-steps.server.ts";
import { overviewFrom, overviewStatements } from "./fleet-overview.server.ts";

export { FleetOverview } from "./fleet-overview.tsx";
export { overviewStatements };

/** What the overview shows, with the first steps of a fleet to the administrator who takes them. */
export async function overviewView(
	reader: ReaderContext,
	answers: Results<ReturnType<typeof overviewStatements>>,
	settings: RequestContext["settings"],
) {
	const overview = await overviewFrom(answers, reader);
	const firstSteps =
		reader.role === "admin"
			? await firstStepsFrom({
					admin: reader,
					settings,
					chosen: answers.chosen,
					people: overview.drivers + overview.applications,
					ever: overview.ever,
				})
			: undefined;
	return { overview, firstSteps };
}
