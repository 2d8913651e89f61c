/** One list's views, of which one is shown; each is a link. */
export type Tab = { readonly words: string; readonly href: string; readonly isHere: boolean };

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
	return (
		<nav aria-label={label} className="flex flex-wrap sm:gap-1 print:hidden">
			{tabs.map(({ words, href, isHere }) => (
				<a
					key={words}
					href={href}
					className="inline-flex min-h-11 items-center rounded-md px-2 font-semibold text-accent max-sm:text-sm sm:px-4 aria-[current]:bg-accent-soft"
					{...(isHere ? { "aria-current": "page" as const } : {})}
				>
					{words}
				</a>
			))}
		</nav>
	);
}
