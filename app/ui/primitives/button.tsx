import { cva, type VariantProps } from "class-variance-authority";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import { BUTTON, BUTTON_VARIANTS } from "../../class-names.ts";
import { cn } from "./cn.ts";

/** The classes of a button, for what looks like one. */
export const buttonVariants = cva(BUTTON, {
	variants: {
		variant: BUTTON_VARIANTS,
		/** A wide one takes the width of a phone. */
		size: { default: "", wide: "w-full sm:w-auto" },
	},
	defaultVariants: { variant: "default", size: "default" },
});

type Variants = VariantProps<typeof buttonVariants>;

/**
 * A submit button unless `type` says otherwise.
 * @param pending what it says while its form is on the way; the client entry swaps the words and
 * stops a second submit
 */
export function Button({
	variant,
	size,
	pending,
	className,
	type = "submit",
	...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Variants & { pending?: string }) {
	return (
		<button
			type={type}
			className={cn(buttonVariants({ variant, size }), className)}
			{...(pending ? { "data-pending": pending } : {})}
			{...rest}
		/>
	);
}

/**
 * An address as a form that asks for it: where it goes, and what its query says. A fragment stays
 * with the action.
 */
export function asGetForm(address: string): {
	readonly action: string;
	readonly fields: readonly (readonly [string, string])[];
} {
	const [rest = "", fragment] = address.split("#");
	const [path = "", query] = rest.split("?");
	return {
		action: fragment ? `${path}#${fragment}` : path,
		fields: [...new URLSearchParams(query)],
	};
}

/**
 * A button that asks for an address of ours: for what people take for a button, such as opening a
 * dialog.
 */
export function GoButton({
	href,
	...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Variants & { href: string }) {
	const { action, fields } = asGetForm(href);
	return (
		<form method="get" action={action} className={rest.size === "wide" ? "grid" : "inline-grid"}>
			{fields.map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			<Button {...rest} />
		</form>
	);
}

/** A link that looks like a button. */
export function ButtonLink({
	variant,
	size,
	className,
	...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Variants & { href: string }) {
	return <a className={cn(buttonVariants({ variant, size }), className)} {...rest} />;
}
