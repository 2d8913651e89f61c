/**
 * A dialog with a URL: open without a script, modal with one (entry.client.tsx). Closing it
 * navigates to the URL without it.
 */
import { clsx } from "clsx";
import type { ComponentProps, FormHTMLAttributes, ReactNode } from "react";
import { Button, toGetForm } from "./primitives/button.tsx";

/**
 * @param id names the dialog's heading
 * @param back the URL of the page without the dialog
 * @param startsAtTitle whether it is read from the top, not from its first field
 * @param isPrinted whether it is printed, instead of the page behind it
 */
export function UrlDialog({
	id,
	title,
	back,
	startsAtTitle = false,
	isPrinted = false,
	children,
}: {
	id: string;
	title: string;
	back: string;
	startsAtTitle?: boolean;
	isPrinted?: boolean;
	children: ReactNode;
}) {
	const { action, fields } = toGetForm(back);
	return (
		<dialog
			open
			className={clsx(
				"sheet w-[calc(100%-2rem)] max-w-lg surface p-(--sheet-room) text-ink",
				isPrinted && "sheet-read",
			)}
			data-modal={back}
			aria-labelledby={`${id}-title`}
		>
			<div className="@container grid gap-4">
				<h2
					id={`${id}-title`}
					className="text-lg font-semibold"
					{...(startsAtTitle ? { tabIndex: -1, autoFocus: true } : {})}
				>
					{title}
				</h2>
				{children}
			</div>
			<form id={`${id}-close`} method="get" action={action}>
				{fields.map(([name, value]) => (
					<input key={`${name} ${value}`} type="hidden" name={name} value={value} />
				))}
			</form>
		</dialog>
	);
}

/** Closes the dialog with that id, from inside any of its forms. */
export function CloseButton({ dialog, children }: { dialog: string; children: ReactNode }) {
	return (
		<Button variant="outline" form={`${dialog}-close`}>
			{children}
		</Button>
	);
}

/** The buttons at the bottom of a dialog; on a phone they share the width. */
export function DialogButtons({ children }: { children: ReactNode }) {
	return (
		<div className="sheet-foot flex flex-wrap justify-end gap-3 *:max-sm:grow">{children}</div>
	);
}

/**
 * The form of a dialog: its fields, and below them the buttons that close the dialog or send it.
 * @param dialog the id of the dialog
 * @param hidden further fields to send
 * @param aside an alternative action, before the buttons
 */
export function DialogForm({
	dialog,
	action,
	hidden,
	submit,
	cancel = "Cancel",
	aside,
	children,
	...rest
}: Omit<FormHTMLAttributes<HTMLFormElement>, "hidden" | "onSubmit"> & {
	dialog: string;
	action: string;
	hidden: Readonly<Record<string, string>>;
	submit: { label: string; pending: string; variant?: ComponentProps<typeof Button>["variant"] };
	cancel?: string;
	aside?: ReactNode;
}) {
	return (
		<form method="post" action={action} className={children ? "grid gap-4" : undefined} {...rest}>
			{Object.entries(hidden).map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			{children}
			<DialogButtons>
				{aside}
				<CloseButton dialog={dialog}>{cancel}</CloseButton>
				<Button variant={submit.variant} pending={submit.pending}>
					{submit.label}
				</Button>
			</DialogButtons>
		</form>
	);
}
