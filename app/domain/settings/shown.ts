/**
 * What a form of settings showed: it is sent along, so that saving the form doesn't change back what
 * someone else has saved since.
 */
import type { FleetSettings } from "../kernel/fleet-settings.ts";

type Name = keyof FleetSettings;

/** For the form's hidden field `seen`. */
export const toSeen = <Each extends Name>(
	settings: Pick<FleetSettings, Each>,
	names: readonly Each[],
): string => JSON.stringify(Object.fromEntries(names.map((name) => [name, settings[name]])));

/** The settings of a hidden field; none if it can't be read, as a script may leave it out. */
function readSeen(text: string): Readonly<Record<string, unknown>> {
	try {
		return Object(JSON.parse(text || "{}"));
	} catch {
		return {};
	}
}

/**
 * The settings that saving the form would change back.
 * @param sent what it would save
 * @param seen its hidden field
 */
export function changedSince(
	sent: Partial<FleetSettings>,
	current: FleetSettings,
	seen: string,
): Name[] {
	const shown = readSeen(seen);
	return (Object.keys(sent) as Name[]).filter(
		(name) =>
			Object.hasOwn(shown, name) && shown[name] !== current[name] && sent[name] !== current[name],
	);
}
