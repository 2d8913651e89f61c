/** What the screen shows: the current settings. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { selectHasAmounts } from "../../domain/settings/first-amount.server.ts";
import { toViewer } from "../../ui/viewer.ts";

/** Everything the screen shows, in one trip to the database. */
export async function settingsView(args: LoaderFunctionArgs) {
	const { admin, amounts } = await requireAdmin(args, ({ build }) => ({
		amounts: selectHasAmounts(build),
	}));
	return {
		viewer: toViewer(admin),
		settings: admin.settings,
		/** Whether the currency and the distance can still be chosen. */
		areUnitsOpen: admin.settings.unitsOpen || amounts[0]?.hasAmounts !== 1,
		/** The fleet's name while none is set. */
		appName: args.context.settings.appName,
		timeZone: admin.timeZone.replaceAll("_", " "),
		isSending: args.context.settings.mail !== undefined,
	};
}

export type SettingsData = Awaited<ReturnType<typeof settingsView>>;
