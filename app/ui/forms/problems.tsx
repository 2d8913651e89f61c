import { Alert } from "../primitives/alert.tsx";

const PROBLEMS = "problems";

/**
 * All errors of a form, above it; nothing if there are none.
 * @param id if a screen has several forms
 * @param takesFocus if the form isn't at the top of its screen
 * @param isAtField if the focused invalid field has the same message
 */
export function Problems({
	problems,
	id = PROBLEMS,
	takesFocus = false,
	isAtField = false,
}: {
	problems: readonly string[];
	id?: string;
	takesFocus?: boolean;
	isAtField?: boolean;
}) {
	if (problems.length === 0) return null;
	return (
		<Alert variant="bad" id={id} takesFocus={takesFocus} isAtField={isAtField}>
			{problems.map((problem) => (
				<p key={problem}>{problem}</p>
			))}
		</Alert>
	);
}
