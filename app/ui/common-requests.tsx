import { COMMON_REQUESTS } from "../domain/fund-requests/rules.ts";

/**
 * The chips above the request form, on a phone in one line that scrolls sideways: links that open
 * the form filled in. With a script (page-common-requests.ts) they fill in their own form.
 */
export function CommonRequests() {
	return (
		<nav aria-label="Common requests" data-common-requests="">
			<ul className="sideways -mx-4 flex gap-2 px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0">
				{COMMON_REQUESTS.map(({ type, description }) => (
					<li key={description}>
						<a
							href={`/requests?for=${encodeURIComponent(description)}`}
							data-type={type}
							className="inline-flex min-h-11 items-center rounded-full border border-field px-3 font-semibold whitespace-nowrap text-accent no-underline hover:bg-sunken"
						>
							{description}
						</a>
					</li>
				))}
			</ul>
		</nav>
	);
}
