/** Makes a request's context: everything about it that needs no database. */

import { readBearer } from "../auth/bearer.server.ts";
import { unavailable } from "../auth/refuse.server.ts";
import { refusedForm } from "../auth/refused-form.server.ts";
import { parseReplicaRead } from "../auth/replica-read.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { readPresentedSession } from "../auth/session.server.ts";
import { Database } from "../db/client.server.ts";
import type { Upload } from "../domain/statements/object-writer.server.ts";
import { type Env, parseSettings } from "../env.server.ts";
import type { SentForm } from "../http/request-body.ts";
import { readToast } from "../http/toast.server.ts";
import { ARCHIVE_UNAVAILABLE } from "../messages.ts";
import { maxLengthFor } from "../routing/field-limits.ts";
import { type RouteRule, takesTokens } from "../routing/routes.ts";
import { dateIn } from "../values/calendar-date.ts";
import { tellWrongSettings } from "./wrong-settings.ts";

/** What the Worker passes along with a request. */
export type IncomingRequest = {
	readonly request: Request;
	readonly env: Env;
	readonly execution: ExecutionContext;
	/** UTC milliseconds. */
	readonly now: number;
	readonly requestId: string;
};

/** The request's body, filled in once it has been read. */
export type SentBody = {
	form: SentForm;
	bytes: Uint8Array<ArrayBuffer>;
	upload: Upload | undefined;
};

async function staticFile(assets: Fetcher, origin: string, path: string): Promise<Uint8Array> {
	const answer = await assets.fetch(new URL(path, origin));
	if (!answer.ok) throw new Error(`the static file ${path} returned ${answer.status}`);
	return new Uint8Array(await answer.arrayBuffer());
}

/** Makes what every loader and action receives. */
export async function createContext(
	{ request, env, execution, now, requestId }: IncomingRequest,
	rule: RouteRule,
	sent: SentBody,
): Promise<RequestContext> {
	const settings = parseSettings(env);
	execution.waitUntil(tellWrongSettings(env, now));
	const url = new URL(request.url);
	// A request with a token is the token's owner's, whatever its cookies, even if none is taken.
	const brought = await readBearer(request);
	const bearer = takesTokens(rule) ? brought : undefined;
	const presented = brought ? undefined : await readPresentedSession(request, settings.isHttps);
	const db = new Database(
		env.DB,
		(error) => unavailable(context, error),
		undefined,
		settings.readReplicas,
	);
	const context: RequestContext = {
		env,
		settings,
		db,
		archive: new Database(
			env.ARCHIVE,
			(error) => unavailable(context, error, ARCHIVE_UNAVAILABLE),
			undefined,
			false,
			db,
		),
		now,
		today: dateIn(settings.timeZone, now),
		requestId,
		rule,
		method: request.method,
		address: url.pathname + url.search,
		presented,
		bearer,
		replica: await parseReplicaRead(request, settings, rule, presented, now),
		mayReadReplica: undefined,
		isAdministrator: false,
		toast: await readToast(request, settings),
		form: async () => {
			const { form, fault } = sent.form;
			if (fault) throw refusedForm(context, fault);
			return form;
		},
		sent: () => sent.form,
		upload: () => sent.upload,
		mostFor: maxLengthFor,
		bodyText: (isExact) => new TextDecoder("utf-8", { fatal: isExact }).decode(sent.bytes),
		staticFile: (path) => staticFile(env.ASSETS, settings.origin, path),
		later: (work) => execution.waitUntil(work),
		reportFault: (error) =>
			execution.waitUntil(
				import("./report-fault.ts").then(({ reportFault }) =>
					reportFault(env, error, { requestId, path: url.pathname, now }),
				),
			),
		fleetName: settings.appName,
		userId: undefined,
		isStreamed: false,
		isOtherAccounts: false,
	};
	return context;
}
