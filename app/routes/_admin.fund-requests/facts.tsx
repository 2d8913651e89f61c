/** The facts of a request, as the desk and its dialogs show them. */
import { driverPath } from "../../domain/people/search.ts";
import { AskedNote } from "../../ui/asked-note.tsx";
import type { RequestView } from "./row.server.ts";

/**
 * Its driver and type.
 * @param isLinked whether the name leads to the driver; not in a dialog, whose first link has focus
 */
export function DriverAndType({
	request,
	isLinked = false,
}: {
	request: RequestView;
	isLinked?: boolean;
}) {
	const name = <bdi>{request.name}</bdi>;
	return (
		<>
			<dt className="text-quiet">Driver</dt>
			<dd className="wrap-anywhere">
				{isLinked ? (
					<a href={driverPath(request.driverId)} className="font-semibold text-accent">
						{name}
					</a>
				) : (
					name
				)}
				{`, ${request.driver}`}
			</dd>
			<dt className="text-quiet">Type</dt>
			<dd>{request.type}</dd>
		</>
	);
}

/** Its date and description. */
export function DateAndDescription({ request }: { request: RequestView }) {
	return (
		<>
			<dt className="text-quiet">Date</dt>
			<dd>{request.date}</dd>
			{request.spentOn ? (
				<>
					<dt className="text-quiet">Spent on</dt>
					<dd>{request.spentOn}</dd>
				</>
			) : null}
			<dt className="text-quiet">Description</dt>
			<dd className="wrap-anywhere whitespace-pre-line">
				<bdi>{request.description}</bdi>
			</dd>
		</>
	);
}

export function Facts({ request }: { request: RequestView }) {
	return (
		<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 @max-[15rem]:grid-cols-1">
			<dt className="text-quiet">Request ID</dt>
			<dd>{request.number}</dd>
			<DriverAndType request={request} />
			<dt className="text-quiet">Amount</dt>
			<dd className="font-semibold tabular-nums">
				{request.amount}
				<AskedNote note={request.asked} />
			</dd>
			<DateAndDescription request={request} />
			<dt className="text-quiet">Receipt</dt>
			<dd className="wrap-anywhere">
				{request.file ? (
					<a
						href={`/api/receipts/${request.file.id}`}
						target="_blank"
						rel="noopener"
						className="font-semibold text-accent"
					>
						<bdi>{request.file.name}</bdi> (opens a new tab)
					</a>
				) : (
					(request.receiptName ?? "None")
				)}
			</dd>
		</dl>
	);
}
