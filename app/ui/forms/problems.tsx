import { Alert } from "../primitives/alert.tsx";

const PROBLEMS = "problems";

/**
 * Everything that is wrong with what was sent, above the form; nothing when all is well.
 * @param id where a screen has more forms than one
 * @param takesFocus where the form is not what its screen begins with
 */
export function Problems({
	problems,
	id = PROBLEMS,
	takesFocus = false,
}: {
	problems: readonly string[];
	id?: string;
	takesFocus?: boolean;
}) {
	if (problems.length === 0) return null;
	return (
		<Alert variant="bad" id={id} takesFocus={takesFocus}>
			{problems.map((problem) => (
				<p key={problem}>{problem}</p>
			))}
		</Alert>
	);
}
