import type { FleetSettings } from "../../domain/kernel/fleet-settings.ts";
import { toSeen } from "../../domain/settings/shown.ts";
import type { SettingsAnswer } from "./actions.server.ts";
import type { SettingsData } from "./view.server.ts";

/** What a section's form was opened on. One that is shown again with its mistakes is no newer. */
export function Seen({
	section,
	names,
	data,
	answer,
}: {
	section: string;
	names: readonly (keyof FleetSettings)[];
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const kept = answer?.section === section ? answer.seen : undefined;
	return <input type="hidden" name="seen" value={kept ?? toSeen(data.settings, names)} />;
}
