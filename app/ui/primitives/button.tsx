import { cva, type VariantProps } from "class-variance-authority";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import { cn } from "./cn.ts";

const button = cva(
	"inline-flex min-h-11 max-w-full items-center justify-center gap-2 rounded-md border px-4 text-center text-base font-semibold no-underline disabled:opacity-60",
	{
		variants: {
			look: {
				primary: "border-accent bg-accent text-on-accent hover:opacity-90",
				plain: "border-field bg-surface text-ink hover:bg-sunken",
				quiet: "border-transparent bg-transparent text-accent hover:bg-sunken",
				danger: "border-bad bg-surface text-bad hover:bg-bad-soft",
			},
			width: { auto: "", full: "w-full sm:w-auto" },
		},
		defaultVariants: { look: "primary", width: "auto" },
	},
);

type Look = VariantProps<typeof button>;

/**
 * A submit button unless `type` says otherwise.
 * @param pending what it says while its form is on the way; the client entry swaps the words and stops a second submit
 */
export function Button({
	look,
	width,
	pending,
	className,
	type = "submit",
	...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Look & { pending?: string }) {
	return (
		<button type={type} className={cn(button({ look, width }), className)} {...(pending ? { "data-pending": pending } : {})} {...rest} />
	);
}

/** An address as a form that asks for it: where it goes, and what its query says. A fragment stays with the action. */
export function asGetForm(address: string): { readonly action: string; readonly fields: readonly (readonly [string, string])[] } {
	const [rest = "", fragment] = address.split("#");
	const [path = "", query] = rest.split("?");
	return { action: fragment ? `${path}#${fragment}` : path, fields: [...new URLSearchParams(query)] };
}

/** A button that asks for an address of ours: for what people take for a button, such as opening a dialog. */
export function GoButton({ href, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & Look & { href: string }) {
	const { action, fields } = asGetForm(href);
	return (
		<form method="get" action={action} className={rest.width === "full" ? "grid" : "inline-grid"}>
			{fields.map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			<Button {...rest} />
		</form>
	);
}

/** A link that looks like a button. */
export function ButtonLink({ look, width, className, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & Look & { href: string }) {
	return <a className={cn(button({ look, width }), className)} {...rest} />;
}
