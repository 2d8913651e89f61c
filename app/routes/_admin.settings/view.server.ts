/** What the screen shows: the settings in force. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { toFleetSettings } from "../../domain/settings/definitions.ts";
import { selectSettings } from "../../domain/settings/queries.server.ts";
import { toViewer } from "../../ui/viewer.ts";

/** Everything the screen shows, in one trip to the database. */
export async function settingsView(args: LoaderFunctionArgs) {
	const { admin, settings } = await requireAdmin(args, ({ build }) => ({
		settings: selectSettings(build),
	}));
	return {
		viewer: toViewer(admin),
		settings: toFleetSettings(settings),
		timeZone: admin.timeZone.replaceAll("_", " "),
		isSending: args.context.settings.mail !== undefined,
	};
}

export type SettingsData = Awaited<ReturnType<typeof settingsView>>;
