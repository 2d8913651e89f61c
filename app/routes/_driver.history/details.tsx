/** A history row's details, for which its line has no room. */
import type { ReactNode } from "react";
import { MessageThread } from "../../ui/message-thread.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import type { HistoryData } from "./view.server.ts";

const link = "inline-flex min-h-11 items-center font-semibold text-accent";

function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<div className="grid grid-cols-[6rem_1fr] gap-x-4 @max-[15rem]:grid-cols-1">
			<dt className="text-quiet">{name}</dt>
			<dd className="m-0 wrap-anywhere whitespace-pre-line">{children}</dd>
		</div>
	);
}

/** @param after what follows the facts */
function Sheet({
	title,
	back,
	after,
	children,
}: {
	title: string;
	back: string;
	after?: ReactNode;
	children: ReactNode;
}) {
	return (
		<UrlDialog id="details" title={title} back={back} isPrinted>
			<dl className="grid gap-2">{children}</dl>
			{after}
			<DialogButtons>
				<CloseButton dialog="details">Close</CloseButton>
			</DialogButtons>
		</UrlDialog>
	);
}

function Trip({ trip, here }: { trip: NonNullable<HistoryData["openTrip"]>; here: string }) {
	const isVoided = trip.voidedAt !== null;
	const reason =
		trip.voidedBy === trip.driverId ? "By you" : `Administrator's reason: ${trip.voidReason}`;
	return (
		<Sheet
			title={`Trip on ${formatDate(trip.drivenOn)}`}
			back={`/history${here}#mileage-${trip.id}`}
		>
			<Fact name="Odometer">{`${formatMiles(trip.startMiles)} to ${formatMiles(trip.endMiles)}`}</Fact>
			<Fact name={inUnits("Miles")}>{formatMiles(trip.miles)}</Fact>
			{trip.personalMiles === null ? null : (
				<Fact name="Personal">{formatMiles(trip.personalMiles)}</Fact>
			)}
			{trip.purpose === null ? null : <Fact name="Purpose">{trip.purpose}</Fact>}
			<Fact name="Notes">{trip.notes ?? "-"}</Fact>
			<Fact name="Status">
				<Badge variant={isVoided ? "quiet" : "info"}>{isVoided ? "Voided" : "Logged"}</Badge>
			</Fact>
			{isVoided ? <Fact name="Voided">{reason}</Fact> : null}
			{trip.captured ? <Fact name="Sent">{trip.captured}</Fact> : null}
		</Sheet>
	);
}

function Request({
	request,
	here,
}: {
	request: NonNullable<HistoryData["openRequest"]>;
	here: string;
}) {
	const { number, decision, receipt } = request;
	return (
		<Sheet
			title={`Request ${number}`}
			back={`/history${here}#request-${request.id}`}
			after={<MessageThread thread={request.thread} label={`Messages about ${number}`} />}
		>
			<Fact name="Type">{request.typeLabel}</Fact>
			<Fact name="Amount">
				{request.dollars}
				{request.asked ? ` (${request.asked})` : ""}
			</Fact>
			<Fact name="Description">{request.description}</Fact>
			{request.spent ? <Fact name="Spent on">{request.spent}</Fact> : null}
			<Fact name="Submitted">{request.submittedOn}</Fact>
			<Fact name="Receipt">
				{receipt?.url ? (
					<a className={link} href={receipt.url}>
						{receipt.name}
					</a>
				) : (
					(receipt?.name ?? "None")
				)}
			</Fact>
			<Fact name="Status">
				<Badge variant={request.tone}>{request.status}</Badge>
			</Fact>
			{decision ? <Fact name="Decision">{decision.words}</Fact> : null}
			{decision?.note ? <Fact name="Note">{decision.note}</Fact> : null}
			{request.payment ? (
				<Fact name="Payout">
					<a className={link} href={request.statementUrl}>
						{request.payment}
						<span className="sr-only">: statement</span>
					</a>
				</Fact>
			) : null}
		</Sheet>
	);
}

/** The dialog over the list, if the URL opens one of the driver's own rows. */
export function Details({ data: { openTrip, openRequest, here } }: { data: HistoryData }) {
	if (openTrip) return <Trip trip={openTrip} here={here} />;
	return openRequest ? <Request request={openRequest} here={here} /> : null;
}
