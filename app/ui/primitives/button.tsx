import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, HTMLAttributes } from "react";
import { BUTTON, BUTTON_VARIANTS } from "../../class-names.ts";

/** The classes of a button, for anything that looks like one. */
export const buttonVariants = cva(BUTTON, {
	variants: {
		variant: BUTTON_VARIANTS,
		/** A wide one has the full width on a phone. */
		size: { default: "", wide: "w-full sm:w-auto" },
	},
	defaultVariants: { variant: "default", size: "default" },
});

type Variants = VariantProps<typeof buttonVariants>;

/**
 * A submit button unless `type` says otherwise.
 * @param pending its label while the form is being sent; the client entry sets it and prevents a
 * second submit
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
			className={clsx(buttonVariants({ variant, size }), className)}
			{...(pending ? { "data-pending": pending } : {})}
			{...rest}
		/>
	);
}

/**
 * A URL as a GET form: its action and the fields of its query. A fragment stays with the action.
 */
export function toGetForm(address: string): {
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

/** A GET form for one of our URLs. */
function GoForm({ href, children, ...rest }: HTMLAttributes<HTMLFormElement> & { href: string }) {
	const { action, fields } = toGetForm(href);
	return (
		<form method="get" action={action} {...rest}>
			{fields.map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			{children}
		</form>
	);
}

const ROWS = "rows";

/**
 * The one form of all `RowButton`s of a page's lists.
 * @param href the page's URL, to which a button adds what it opens
 */
export function RowsForm({ href }: { href: string }) {
	return <GoForm href={href} id={ROWS} hidden />;
}

/** A row's button, which opens a dialog about the row (values/row-dialog.ts). */
export function RowButton({
	dialog,
	row,
	...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { dialog: string; row: string }) {
	return <button type="submit" form={ROWS} name={dialog} value={row} {...rest} />;
}

/**
 * A button that navigates to one of our URLs, for what people consider a button, such as opening a
 * dialog.
 */
export function GoButton({
	href,
	...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Variants & { href: string }) {
	return (
		<GoForm href={href} className={rest.size === "wide" ? "grid" : "inline-grid"}>
			<Button {...rest} />
		</GoForm>
	);
}

/** A link that looks like a button. */
export function ButtonLink({
	variant,
	size,
	className,
	...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Variants & { href: string }) {
	return <a className={clsx(buttonVariants({ variant, size }), className)} {...rest} />;
}
