/** The errors of a form on this screen. */

/** Every message once, and those of each invalid field by its name. */
export type Faults = {
	readonly problems: readonly string[];
	readonly fields: Record<string, string[]>;
};

export const NO_FAULTS: Faults = { problems: [], fields: {} };
