/** What the rows of every list share: buttons, links, status; and the way to the next page. */
import type { ReactNode } from "react";
import {
	type DialogName,
	type DriverSearch,
	driverPath,
	driversUrl,
} from "../../domain/drivers/search.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { cn } from "../../ui/primitives/cn.ts";
import { TableCell } from "../../ui/primitives/table.tsx";
import type { Person } from "./people.ts";

/** A driver's name, which leads to their page. */
export function PersonLink({ person }: { person: Person }) {
	return (
		<a
			href={driverPath(person.id)}
			className="inline-flex min-h-11 items-center wrap-anywhere text-accent no-underline hover:underline"
		>
			<bdi>{person.name}</bdi>
		</a>
	);
}

/** As small as the text of its row. */
const ROW_BUTTON = "px-1.5 sm:text-sm";

/** A button about one person: the eye sees the word, a screen reader hears whom it is about. */
export function RowForm({
	person,
	intent,
	pending,
	variant = "outline",
	children,
}: {
	person: Person;
	intent: string;
	pending: string;
	variant?: "default" | "outline" | "ghost" | "destructive";
	children: ReactNode;
}) {
	return (
		<form method="post">
			<input type="hidden" name="intent" value={intent} />
			<input type="hidden" name="id" value={person.id} />
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

/** A link to the dialog that asks before anything happens to one person. */
export function RowLink({
	person,
	dialog,
	address,
	variant,
	children,
}: {
	person: Person;
	dialog: DialogName;
	address: DriverSearch;
	variant: "ghost" | "outline" | "destructive";
	children: ReactNode;
}) {
	// In a row it stands among others: only its words are red.
	const isLoss = variant === "ghost" && dialog !== "rename";
	return (
		<ButtonLink
			variant={variant}
			className={cn(variant === "ghost" ? ROW_BUTTON : "px-3", isLoss && "text-bad")}
			href={driversUrl({ ...address, dialog, id: person.id })}
		>
			{children}
			<span className="sr-only"> {person.name}</span>
		</ButtonLink>
	);
}

/** The last cell of a row: what can be done. */
export function Actions({ children }: { children: ReactNode }) {
	return (
		<TableCell isControl>
			<div className="flex flex-wrap justify-end xl:flex-nowrap xl:whitespace-nowrap">
				{children}
			</div>
		</TableCell>
	);
}

/** An address; one that nobody has verified is marked, and one that mail doesn't reach. */
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

/** Active; or invited, and until when. */
export function Status({ person }: { person: Person }) {
	if (person.invitedUntil === null) return <Badge variant="good">Active</Badge>;
	return (
		<span className="inline-grid justify-items-start gap-1">
			<Badge variant="wait">Invited</Badge>
			<span className="text-sm text-quiet">
				{person.invitedUntil ? `expires ${person.invitedUntil}` : "expired"}
			</span>
		</span>
	);
}

/** What can be done about somebody who has not signed in yet. */
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
