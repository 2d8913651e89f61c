/** The questions before a settlement is published, or voided. */
import { settlementPath } from "../../domain/settlements/search.ts";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { SettlementData } from "./view.server.ts";

type Props = { readonly data: SettlementData };

function PublishDialog({ data: { id, number, name, week, payable, carriedOut, ...data } }: Props) {
	return (
		<UrlDialog id="publishing" title={`Publish ${number}?`} back={`${settlementPath(id)}#publish`}>
			<p className="wrap-anywhere">
				{carriedOut
					? `Nothing is payable to ${name} for ${week}. ${carriedOut} is carried to the next week.`
					: `${payable} is payable to ${name} for ${week}.`}
			</p>
			<p>
				A published settlement never changes. If its week's books do, the next settlement corrects
				it.
			</p>
			<DialogForm
				dialog="publishing"
				action={settlementPath(id)}
				hidden={{ intent: "publish", result: String(data.resultCents) }}
				submit={{ label: "Publish", pending: "Publishing..." }}
			/>
		</UrlDialog>
	);
}

function VoidDialog({ data: { id, number, status } }: Props) {
	return (
		<UrlDialog id="voiding" title={`Void ${number}?`} back={`${settlementPath(id)}#void`}>
			<p>
				{status === "draft"
					? "The draft stays in the list as void. Its week can be drafted again."
					: "It stays in the list as void. Its week can be drafted again, and what it carried or corrected is open again. If the driver was sent its email, they get another that says so."}
			</p>
			<DialogForm
				dialog="voiding"
				action={settlementPath(id)}
				hidden={{ intent: "void", seen: status }}
				submit={{ label: "Void settlement", pending: "Voiding...", variant: "destructive" }}
				cancel="Keep it"
			/>
		</UrlDialog>
	);
}

export function Dialog({ data }: Props) {
	return data.dialog === "publish" ? <PublishDialog data={data} /> : <VoidDialog data={data} />;
}
