import { Icon } from "./icons.tsx";
import { Button } from "./primitives/button.tsx";
import { Input } from "./primitives/input.tsx";

/**
 * The search box of the administrators' portal, which accountants share; the / key focuses it.
 * @param isWide on its own page, with a button
 */
export function FindForm({ text = "", isWide = false }: { text?: string; isWide?: boolean }) {
	return (
		<search className={isWide ? "print:hidden" : "w-80 max-lg:hidden xl:w-96 print:hidden"}>
			<form method="get" action="/find" className="relative flex gap-2">
				<Input
					type="search"
					name="q"
					data-find=""
					aria-label="Find anything"
					aria-keyshortcuts="/"
					placeholder="Name, DRV-, FR-, PO- or ST-"
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					maxLength={100}
					defaultValue={text}
					className={isWide ? "" : "pe-12"}
				/>
				{isWide ? (
					<Button pending="Finding...">Find</Button>
				) : (
					<button
						type="submit"
						className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-md text-quiet hover:text-accent"
					>
						<Icon name="search" />
						<span className="sr-only">Find</span>
					</button>
				)}
			</form>
		</search>
	);
}

/** A link to the search page, where there is no room for the box. */
export function FindLink() {
	return (
		<a
			href="/find"
			className="inline-grid h-11 w-[min(2.75rem,14vw)] shrink-0 place-items-center rounded-md text-accent hover:bg-sunken lg:hidden"
		>
			<Icon name="search" />
			<span className="sr-only">Find</span>
		</a>
	);
}
