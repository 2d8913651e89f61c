/** Help for drivers: one page with pictures, which can be printed. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireDriver } from "../../auth/guard.server.ts";
import { MILEAGE_PICTURE, Picture, REQUEST_PICTURE } from "../../ui/pictures/picture.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useView } from "../../ui/use-view.ts";
import { toViewer } from "../../ui/viewer.ts";
import { inUnits } from "../../values/fleet-units.ts";

export const handle = { title: "Help" };

export async function loader(args: LoaderFunctionArgs) {
	const { driver } = await requireDriver(args);
	return { viewer: toViewer(driver) };
}

type HelpData = Awaited<ReturnType<typeof loader>>;

function Topic({
	id,
	title,
	picture,
	children,
}: {
	id: string;
	title: string;
	picture?: ReactNode;
	children: ReactNode;
}) {
	return (
		<section aria-labelledby={id} className="break-inside-avoid">
			<Card className="@container grid items-start gap-4 sm:grid-flow-col sm:auto-cols-fr">
				<div className="grid gap-3">
					<h2 id={id} className="text-lg font-semibold">
						{title}
					</h2>
					{children}
				</div>
				{picture}
			</Card>
		</section>
	);
}

function Steps({ children }: { children: ReactNode }) {
	return <ol className="grid list-decimal gap-2 ps-6 marker:font-semibold">{children}</ol>;
}

const STATUSES = [
	[
		"wait",
		"Pending",
		"Your administrator hasn't decided yet. You can still correct or withdraw it.",
	],
	["wait", "Question", "Your administrator needs to know more. Open the request and answer."],
	[
		"good",
		"Approved",
		"You'll be paid. The amount can be lower than you asked; the note says why.",
	],
	["bad", "Rejected", "It won't be paid. The note says why."],
	["info", "Logged", "The trip counts toward your miles."],
] as const;

export default function Help() {
	const { viewer } = useView<HelpData>();
	return (
		<Portal
			viewer={viewer}
			current="/help"
			title="Help"
			subtitle={inUnits(
				"How to log miles and request funds. Print this page to keep it in the vehicle.",
			)}
		>
			<Topic
				id="miles"
				title={inUnits("Log your miles")}
				picture={<Picture of={MILEAGE_PICTURE} />}
			>
				<Steps>
					<li>Select Log Daily Mileage on your dashboard.</li>
					<li>
						Enter the ending odometer. The start is where your last trip ended; change it if that's
						wrong.
					</li>
					<li>{inUnits("Check Calculated Miles, then select Log Mileage.")}</li>
				</Steps>
				<p>
					For another day, change the date, or select Log it beside that day on your dashboard. One
					entry for the whole day is enough.
				</p>
			</Topic>
			<Topic id="funds" title="Request funds" picture={<Picture of={REQUEST_PICTURE} />}>
				<Steps>
					<li>Select Submit New Fund Request on your dashboard.</li>
					<li>Choose what it was for, such as Gas, and enter the amount.</li>
					<li>Select Take photo for the receipt, or Choose file if you have it already.</li>
					<li>Select Submit Request.</li>
				</Steps>
				<p>No receipt yet? Submit the request now and add the receipt later.</p>
			</Topic>
			<Topic id="offline" title="When you're offline">
				<p>
					{inUnits("Log miles")} and submit requests as usual. They're saved on your phone and sent
					when you're back online. The outbox at the top of the page shows what's waiting. Action
					needed means that something has to be fixed before it can be sent.
				</p>
			</Topic>
			<Topic id="mistakes" title="Fix a mistake">
				<p>
					For 7 days, you can correct or void a trip under Log Mileage. You can correct or withdraw
					a request under Fund Requests until it's decided. After that, ask your fleet
					administrator.
				</p>
			</Topic>
			<Topic id="statuses" title="What each status means">
				<dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-3 @max-[15rem]:grid-cols-1">
					{STATUSES.map(([tone, status, meaning]) => (
						<div key={status} className="contents">
							<dt>
								<Badge variant={tone}>{status}</Badge>
							</dt>
							<dd className="m-0">{inUnits(meaning)}</dd>
						</div>
					))}
				</dl>
				<p>
					Paid, with a date and a payout number, means that the money has been sent. Your dashboard
					says what is still to be paid, and what was paid last.
				</p>
			</Topic>
			<Topic id="earnings" title="Your earnings">
				<p>
					If your fleet settles weeks, Earnings shows each one once it's published. Every line says
					where it comes from: the platform's statement, your trips, a charge or your agreement. A
					result below zero is carried to the next week. This week so far isn't final. No tax, VAT,
					social insurance or minimum wage is worked out. To ask about a week, open it and write
					under Ask about this week.
				</p>
			</Topic>
			<Topic id="records" title="Your records">
				<p>
					History shows your trips and requests with their totals, and exports them. Your Year has
					your mileage log and a summary for each calendar year.
				</p>
			</Topic>
			<Topic id="install" title="Put it on your home screen">
				<p>
					On iPhone, open this site in Safari, select Share, then Add to Home Screen. On Android,
					open the browser's menu and select Install app or Add to Home screen.
				</p>
				<p>
					On an iPhone, what waits to be sent is also kept longer there: Safari may delete it after
					seven days without a visit.
				</p>
			</Topic>
		</Portal>
	);
}
