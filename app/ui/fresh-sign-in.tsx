/** Says that a change needs a recent sign-in, and links to a new one that leads back. */
export function FreshSignIn({ change, returnTo }: { change: string; returnTo: string }) {
	return (
		<>
			You can {change} within 15 minutes of signing in. If it's been longer,{" "}
			<a
				className="font-semibold text-accent underline"
				href={`/api/login?fresh&returnTo=${encodeURIComponent(returnTo)}`}
			>
				sign in again
			</a>
			.
		</>
	);
}
