/** The dialogs, each with its own URL. A refused form comes back open, with what was typed. */
import { type FieldMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { isOfOffice } from "../../domain/kernel/standing.ts";
import { ADMIN_FIELDS, PERSON_FIELDS } from "../../domain/people/fields.ts";
import { newAdminInput, renameInput } from "../../domain/people/input.ts";
import { OFFICE_LABELS, OFFICE_ROLES, ROLE_NAMES } from "../../domain/people/rules.ts";
import {
	type DriverSearch,
	driversUrl,
	type PersonDialogName,
	withoutDialog,
} from "../../domain/people/search.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { toOptions } from "../../ui/forms/options.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { FreshSignIn } from "../../ui/fresh-sign-in.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { AddMany, HolderLink } from "./add-many.tsx";
import type { EmailHolder, InvitationsAnswer } from "./invite-many.server.ts";
import type { Person } from "./people.ts";

type DialogState = {
	address: DriverSearch;
	person: Person | undefined;
	owed: string | undefined;
	form: SubmissionResult | undefined;
	/** The submission key of a form that creates someone, until the form has its own. */
	newKey: string;
	needsNewKey: boolean;
	/** Who has the email that was typed. */
	holder: EmailHolder | undefined;
	/** The results of a list that was sent. */
	invitations: InvitationsAnswer | undefined;
};

/** The dialog in the URL; none for an unknown person. */
export function DriversDialog(asked: DialogState) {
	const { address, person, form } = asked;
	switch (address.dialog) {
		case "add-driver":
			return (
				<NewPerson {...asked} intent="add-driver" title="Add Driver">
					The driver is approved right away and gets a driver ID. The invitation expires in 30 days.
				</NewPerson>
			);
		case "add-many":
			return (
				<AddMany
					action={driversUrl({ ...address, id: undefined })}
					back={closeUrl(address)}
					form={form}
					answer={asked.invitations}
					newKey={asked.newKey}
				/>
			);
		case "create-admin":
			return (
				<NewPerson {...asked} intent="create-admin" title="Create Admin">
					A new administrator has full access to the system. An accountant can see and download
					everything, and change nothing. The invitation expires in 72 hours, and all administrators
					are notified. <FreshSignIn change="create one" returnTo="/drivers?dialog=create-admin" />
				</NewPerson>
			);
		default:
			return (
				<PersonDialog
					dialog={address.dialog}
					person={person}
					owed={asked.owed}
					here={driversUrl(address)}
					back={closeUrl(address)}
					form={form}
				/>
			);
	}
}

type PersonDialogProps = {
	person: Person;
	/** The URL with the dialog, and the one that it returns to. */
	here: string;
	back: string;
	form: SubmissionResult | undefined;
};

/** The dialog about one person, on whichever screen; none if it isn't for them. */
export function PersonDialog({
	dialog,
	person,
	owed,
	...rest
}: Omit<PersonDialogProps, "person"> & {
	dialog: PersonDialogName | undefined;
	person: Person | undefined;
	/** What was approved but hasn't been paid, in words. */
	owed: string | undefined;
}) {
	if (person?.role === "driver" && dialog === "rename") return <Rename {...rest} person={person} />;
	if (person?.role === "driver" && dialog === "delete")
		return (
			<Confirm
				back={rest.back}
				person={person}
				intent="delete"
				title="Delete Driver"
				button="Delete"
				pending="Deleting..."
			>
				<span className="block">
					Are you sure you want to delete {person.name}? This action will deactivate the driver and
					cannot be undone.
				</span>
				{owed ? (
					<span className="mt-2 block">{`They are still owed ${owed}. You can pay it afterwards.`}</span>
				) : null}
				<span className="mt-2 block text-quiet">
					You can activate them again under Inactive Drivers.
				</span>
			</Confirm>
		);
	if (person && isOfOffice(person.role) && dialog === "deactivate")
		return (
			<Confirm
				back={rest.back}
				person={person}
				intent="deactivate"
				title={`Deactivate ${ROLE_NAMES[person.role]}`}
				button="Deactivate"
				pending="Deactivating..."
			>
				Are you sure you want to deactivate {person.name}? They'll be signed out everywhere
				immediately.
			</Confirm>
		);
	return null;
}

/** The screen without the dialog, at its row. */
function closeUrl(address: DriverSearch): string {
	return `${driversUrl(withoutDialog(address))}${address.id ? `#row-${address.id}` : ""}`;
}

/** First and last name, in whichever form asks for them. */
function NameFields({
	fields,
}: {
	fields: Record<"firstName" | "lastName", FieldMetadata<string>>;
}) {
	return (
		<>
			<TextField
				field={fields.firstName}
				label={PERSON_FIELDS.firstName.label}
				isCheckedByBrowser
			/>
			<TextField field={fields.lastName} label={PERSON_FIELDS.lastName.label} isCheckedByBrowser />
		</>
	);
}

function NewPerson({
	address,
	form: lastResult,
	newKey,
	needsNewKey,
	holder,
	intent,
	title,
	children,
}: DialogState & { intent: "add-driver" | "create-admin"; title: string; children: ReactNode }) {
	const [form, fields] = useForm<Record<keyof typeof ADMIN_FIELDS | "key", string>>({
		id: "person",
		lastResult: lastResult ?? null,
		constraint: constraintOf(newAdminInput),
		defaultNoValidate: false,
	});
	const key = needsNewKey ? newKey : fields.key.initialValue || newKey;
	return (
		<UrlDialog id={intent} title={title} back={closeUrl(address)}>
			<p className="text-quiet">{children}</p>
			<DialogForm
				dialog={intent}
				action={driversUrl({ ...address, id: undefined })}
				data-complete-first=""
				hidden={{ intent, key }}
				submit={{ label: "Create", pending: "Creating..." }}
			>
				{/* What isn't about a field. */}
				<Problems problems={form.errors ?? []} takesFocus />
				<TextField
					field={fields.email}
					label={PERSON_FIELDS.email.label}
					type="email"
					isCheckedByBrowser
					autoFocus={!lastResult}
				/>
				<HolderLink holder={holder} />
				<NameFields fields={fields} />
				{intent === "create-admin" ? (
					<SelectField
						field={fields.role}
						label={ADMIN_FIELDS.role.label}
						options={toOptions(OFFICE_ROLES, OFFICE_LABELS)}
					/>
				) : null}
			</DialogForm>
		</UrlDialog>
	);
}

function Rename({ here, back, form: lastResult, person }: PersonDialogProps) {
	const [, fields] = useForm<Record<"firstName" | "lastName", string>>({
		id: "person",
		lastResult: lastResult ?? null,
		defaultValue: { firstName: person.firstName, lastName: person.lastName },
		constraint: constraintOf(renameInput),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog id="rename" title="Rename Driver" back={back}>
			<p className="text-quiet">
				This change is recorded under your name. Reports will show the new name from now on.
			</p>
			<DialogForm
				dialog="rename"
				action={here}
				data-complete-first=""
				hidden={{
					intent: "rename",
					id: person.id,
					knownAs: `${person.firstName} ${person.lastName}`,
				}}
				submit={{ label: "Save", pending: "Saving..." }}
			>
				<NameFields fields={fields} />
			</DialogForm>
		</UrlDialog>
	);
}

function Confirm({
	back,
	person,
	intent,
	title,
	button,
	pending,
	children,
}: {
	back: string;
	person: Person;
	intent: string;
	title: string;
	button: string;
	pending: string;
	children: ReactNode;
}) {
	return (
		<UrlDialog id={intent} title={title} back={back}>
			<p className="wrap-anywhere">{children}</p>
			<DialogForm
				dialog={intent}
				action={back}
				hidden={{ intent, id: person.id }}
				submit={{ label: button, pending, variant: "destructive" }}
			/>
		</UrlDialog>
	);
}
