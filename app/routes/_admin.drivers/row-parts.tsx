/** What the rows of every list share: buttons, links, status, and the links between pages. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { driverPath, type PersonDialogName } from "../../domain/people/search.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, buttonVariants, GoButton, RowButton } from "../../ui/primitives/button.tsx";
import { TableCell } from "../../ui/primitives/table.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { Person } from "./people.ts";

/** A driver's name, linked to their page. */
export function PersonLink({ person }: { person: Person }) {
	return (
		<a
			href={driverPath(person.id)}
			className="inline-flex min-h-11 items-center wrap-anywhere text-accent no-underline hover:underline"
		>
			<span>
				<bdi>{person.name}</bdi>
			</span>
		</a>
	);
}

/** As small as the text of its row. */
const ROW_BUTTON = "px-1.5 sm:text-sm";

/** A button about one person; its accessible name includes theirs. */
export function RowForm({
	person,
	intent,
	pending,
	variant = "outline",
	seen,
	children,
}: {
	person: Person;
	intent: string;
	pending: string;
	/** How it shows an application: one that was decided since is left alone. */
	seen?: "pending" | undefined;
	variant?: "default" | "outline" | "ghost" | "destructive";
	children: ReactNode;
}) {
	if (!useMay()("POST", "/drivers")) return null;
	return (
		<form method="post">
			<input type="hidden" name="intent" value={intent} />
			<input type="hidden" name="id" value={person.id} />
			{seen ? <input type="hidden" name="seen" value={seen} /> : null}
			<Button
				variant={variant}
				pending={pending}
				className={variant === "ghost" ? ROW_BUTTON : "px-3"}
			>
				{children}
				<span className="sr-only"> {person.name}</span>
			</Button>
		</form>
	);
}

/** A row's button that opens the dialog that asks for confirmation. */
export function RowDialog({
	person,
	dialog,
	children,
}: {
	person: Person;
	dialog: PersonDialogName;
	children: ReactNode;
}) {
	if (!useMay()("POST", "/drivers")) return null;
	// One of several: only its text is red.
	const isLoss = dialog !== "rename";
	return (
		<RowButton
			dialog={dialog}
			row={person.id}
			className={clsx(buttonVariants({ variant: "ghost" }), ROW_BUTTON, isLoss && "text-bad")}
		>
			{children}
			<span className="sr-only"> {person.name}</span>
		</RowButton>
	);
}

/** Likewise on the person's page. */
export function PageDialog({
	person,
	dialog,
	variant,
	children,
}: {
	person: Person;
	dialog: PersonDialogName;
	variant: "outline" | "destructive";
	children: ReactNode;
}) {
	if (!useMay()("POST", "/drivers")) return null;
	return (
		<GoButton href={driverPath(person.id, dialog)} variant={variant} className="px-3">
			{children}
			<span className="sr-only"> {person.name}</span>
		</GoButton>
	);
}

/** The last cell of a row: its actions. */
export function Actions({ children }: { children: ReactNode }) {
	if (!useMay()("POST", "/drivers")) return null;
	return (
		<TableCell isControl>
			<div className="flex flex-wrap justify-end sm:whitespace-nowrap xl:flex-nowrap">
				{children}
			</div>
		</TableCell>
	);
}

/** Two actions side by side in a column, however narrow it is. */
export function Pair({ children }: { children: ReactNode }) {
	return <div className="flex flex-wrap justify-end sm:flex-nowrap">{children}</div>;
}

/** An email, marked if it is unverified or undeliverable. */
export function Email({ person }: { person: Person }) {
	return (
		<>
			{person.email}
			{person.isUnverified ? (
				<>
					{" "}
					<Badge variant="wait">Unverified</Badge>
				</>
			) : null}
			{person.bounce ? (
				<>
					{" "}
					<Badge variant="bad">Email bounced</Badge>
					<span className="block text-sm wrap-anywhere text-quiet">{person.bounce}</span>
				</>
			) : null}
		</>
	);
}

/** Active, or invited until when. */
export function Status({ person }: { person: Person }) {
	if (person.invitedUntil === null) return <Badge variant="good">Active</Badge>;
	return (
		<span className="inline-grid justify-items-start gap-1">
			<Badge variant="wait">Invited</Badge>
			<span className="text-sm text-quiet">
				{person.invitedUntil ? `expires ${person.invitedUntil.replace(/, \d{4}$/, "")}` : "expired"}
			</span>
		</span>
	);
}

/** The actions for someone who hasn't signed in yet. */
export function InvitationForms({
	person,
	variant = "ghost",
}: {
	person: Person;
	variant?: "ghost" | "outline";
}) {
	if (person.invitedUntil === null) return null;
	return (
		<>
			<RowForm person={person} intent="renew" pending="Sending..." variant={variant}>
				Send again
			</RowForm>
			<RowForm person={person} intent="cancel" pending="Canceling..." variant={variant}>
				Cancel
			</RowForm>
		</>
	);
}
