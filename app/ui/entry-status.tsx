import { Badge } from "./primitives/badge.tsx";

/** The status of a live trip: logged, plus its flags. */
export function LoggedBadges({ flags }: { flags: readonly string[] }) {
	return (
		<>
			<Badge variant="info">Logged</Badge>
			{flags.map((flag) => (
				<Badge key={flag} variant="wait">
					{flag}
				</Badge>
			))}
		</>
	);
}
