/** The two dialogs of a fee: why it can't be edited, and the confirmation of deleting it. */

import { type DialogName, listUrl } from "../../domain/uber-fees/search.ts";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { CloseButton, DialogButtons, DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { FeeView } from "./row.server.ts";
import type { FeesData } from "./view.server.ts";

type Props = { fee: FeeView; canAddAgain: boolean; place: FeesData["place"] };

function Facts({ fee }: { fee: FeeView }) {
	return (
		<p className="text-quiet">
			{`${fee.date}, `}
			<bdi>{fee.name}</bdi>
			{`, ${fee.driver}`}
		</p>
	);
}

function EditDialog({ fee, canAddAgain, place }: Props) {
	const close = `${listUrl(place)}#fee-${fee.id}`;
	return (
		<UrlDialog id="edit" title="Edit Uber Fee" back={close}>
			<p>
				{canAddAgain
					? "Editing is not implemented yet. Please delete and re-add this fee."
					: "Editing is not implemented yet. Nothing can be added for this driver anymore, so this fee can only be deleted."}
			</p>
			<Facts fee={fee} />
			{canAddAgain ? (
				<p className="text-quiet">
					{fee.isCredit
						? "This is money that the platform gave back. You can delete it, but credits can't be added by hand: import its statement again."
						: "Delete and re-add opens the form with these values. Saving it adds the new fee and deletes this one."}
				</p>
			) : null}
			<DialogButtons>
				<CloseButton dialog="edit">Cancel</CloseButton>
				{fee.isCredit || !canAddAgain ? null : (
					<ButtonLink href={`${listUrl(place, { replace: fee.id })}#add`}>
						Delete and re-add
					</ButtonLink>
				)}
			</DialogButtons>
		</UrlDialog>
	);
}

function DeleteDialog({ fee, place }: Props) {
	const close = `${listUrl(place)}#fee-${fee.id}`;
	return (
		<UrlDialog id="delete" title="Delete Uber Fee" back={close}>
			<p>{`Are you sure you want to delete this ${fee.category} fee of ${fee.amount}?`}</p>
			<DialogForm
				dialog="delete"
				action={listUrl(place)}
				hidden={{ intent: "delete", id: fee.id }}
				submit={{ label: "Delete", pending: "Deleting...", variant: "destructive" }}
			>
				<Facts fee={fee} />
			</DialogForm>
		</UrlDialog>
	);
}

export function Dialog({ kind, ...props }: Props & { kind: DialogName }) {
	return kind === "edit" ? <EditDialog {...props} /> : <DeleteDialog {...props} />;
}
