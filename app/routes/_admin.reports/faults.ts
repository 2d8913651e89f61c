/** What is wrong with a form of this screen. */

/** Every sentence once, and those of each faulty field by its name. */
export type Faults = {
	readonly problems: readonly string[];
	readonly fields: Record<string, string[]>;
};

export const NO_FAULTS: Faults = { problems: [], fields: {} };
