import { Badge } from "./primitives/badge.tsx";

/** How a trip that counts stands: that it is logged, and what is odd about it. */
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
