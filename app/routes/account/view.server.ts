/** What the screen shows: the person's account, and which emails they get. */

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "../../auth/guard.server.ts";
import { subjectsFor } from "../../domain/people/email-choices.ts";
import { displayName, shownDriverCode } from "../../domain/people/rules.ts";
import { selectOpenSessions } from "../../domain/people/sessions.server.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatMoment } from "../../values/calendar-date.ts";

/** Everything the screen shows, in one trip to the database. */
export async function accountView(args: LoaderFunctionArgs) {
	const { self, sessions } = await requireUser(args, ({ build, me, now }) => ({
		sessions: selectOpenSessions(build, me, now),
	}));
	const { user, role, timeZone, sessionRef, settings } = self;
	return {
		viewer: toViewer(self),
		name: displayName(user),
		email: user.email ?? user.unverifiedEmail,
		isVerified: user.email !== null,
		driverCode: role === "driver" ? shownDriverCode(user.driverNumber) : null,
		timeZone: timeZone.replaceAll("_", " "),
		role,
		devices: sessions.map(({ ref, device, startedAt, lastSeenAt }) => ({
			ref,
			name: device ?? "Unknown device",
			isThis: ref === sessionRef,
			signedIn: formatMoment(timeZone, startedAt),
			lastSeen: formatMoment(timeZone, lastSeenAt),
		})),
		choices: subjectsFor(role).map((name) => ({
			name,
			isOnForFleet: settings[name],
			own: user[name],
		})),
	};
}

export type AccountData = Awaited<ReturnType<typeof accountView>>;
