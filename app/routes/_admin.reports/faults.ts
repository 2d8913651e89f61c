/** What is wrong with a form of this screen. */
import type { FieldErrors } from "../../ui/primitives/field.tsx";

/** Every sentence once, and those of each faulty field by its name. */
export type Faults = {
	readonly problems: readonly string[];
	readonly fields: Readonly<Record<string, FieldErrors>>;
};

export const NO_FAULTS: Faults = { problems: [], fields: {} };

/** True when some field says itself what is wrong with it. */
export const hasFields = ({ fields }: Faults) => Object.keys(fields).length > 0;
