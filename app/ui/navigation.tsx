/** A portal's navigation: beside the page on a desktop, at the bottom on a phone. */

import { clsx } from "clsx";
import type { AuthenticatedContext } from "../domain/kernel/context.ts";
import { MAX_WAITING, type Waiting } from "../domain/kernel/waiting.ts";
import { isAllowed } from "../routing/routes.ts";
import { Icon, type IconName } from "./icons.tsx";

/** The signed-in person. */
export type Viewer = {
	readonly id: string;
	readonly role: AuthenticatedContext["role"];
	readonly firstName: string;
	readonly lastName: string;
	/** The counts of pending items. */
	readonly waiting?: Waiting | undefined;
};

type NavItem = {
	readonly label: string;
	readonly short?: string | undefined;
	readonly path: string;
	readonly icon: IconName;
	readonly waiting?: keyof Waiting;
};

/** Administrators and accountants share one. */
type PortalName = "driver" | "office";
const portalOf = ({ role }: Viewer): PortalName => (role === "driver" ? "driver" : "office");

const NAV_ITEMS: Readonly<Record<PortalName, readonly NavItem[]>> = {
	driver: [
		{ label: "Dashboard", path: "/", icon: "home" },
		{ label: "Log Mileage", short: "Mileage", path: "/mileage", icon: "road" },
		{
			label: "Fund Requests",
			short: "Requests",
			path: "/requests",
			icon: "money",
			waiting: "questions",
		},
		{ label: "History", path: "/history", icon: "history" },
	],
	office: [
		{ label: "Overview", path: "/", icon: "home" },
		{
			label: "Fund Requests",
			short: "Requests",
			path: "/fund-requests",
			icon: "money",
			waiting: "requests",
		},
		{ label: "Mileage Reports", short: "Mileage", path: "/mileage-reports", icon: "chart" },
		{ label: "Uber Fees", short: "Fees", path: "/uber-fees", icon: "receipt" },
		{
			label: "Driver Management",
			short: "Drivers",
			path: "/drivers",
			icon: "people",
			waiting: "drivers",
		},
		{ label: "Reports", path: "/reports", icon: "report" },
	],
};

const place =
	"relative flex min-h-16 min-w-[min(4rem,16vw)] flex-1 flex-col items-center rounded-md px-[min(0.25rem,1vw)] pt-2.5 pb-1 text-center text-[min(0.875rem,max(14px,4vw))] leading-tight no-underline lg:min-h-11 lg:w-full lg:flex-none lg:flex-row lg:gap-2 lg:px-2.5 lg:py-0 lg:text-start lg:text-base";

const menuPlace = "relative flex min-h-11 items-center gap-3 rounded-md px-3 no-underline";

/** Further pages, after the entries of docs/product.md §2. */
export const MORE: Readonly<Record<PortalName, readonly NavItem[]>> = {
	driver: [
		{ label: "Earnings", path: "/earnings", icon: "report" },
		{ label: "Help", path: "/help", icon: "help" },
	],
	office: [
		{ label: "Settlements", path: "/settlements", icon: "clock" },
		{ label: "Payouts", path: "/payouts", icon: "money" },
		{ label: "Audit", path: "/audit", icon: "shield" },
		{ label: "Email", path: "/email", icon: "mail" },
		{ label: "Settings", path: "/settings", icon: "settings" },
	],
};

/** How many entries fit beside 'More' in a phone's bottom bar. */
const BESIDE_MORE = 4;

/** What has pending items: an entry, or everything under 'More'. */
type WaitingPlace = keyof Waiting | "more";

/** Describes an entry by its pending items; its accessible name stays its label. */
const waitingWords = (place: WaitingPlace | undefined, count: number) =>
	place && count > 0 ? { "aria-describedby": `waiting-${place}` } : {};

/** The description that `waitingWords` refers to, for screen readers. */
function WaitingWords({ of: place, count }: { of: WaitingPlace; count: number }) {
	if (count === 0) return null;
	return (
		<span hidden id={`waiting-${place}`}>
			{`${count > MAX_WAITING ? `more than ${MAX_WAITING}` : count} waiting`}
		</span>
	);
}

/**
 * A count, at the end of a row or, in a phone's bottom bar, beside the icon, up to the maximum.
 * Nothing is shown at 0.
 */
function Count({ of: count, isInRow = false }: { of: number; isInRow?: boolean }) {
	if (count === 0) return null;
	return (
		<span
			aria-hidden="true"
			className={clsx(
				"grid min-w-5 place-items-center rounded-full bg-accent px-1 text-sm leading-5 font-semibold text-on-accent tabular-nums",
				isInRow
					? "ms-auto"
					: [
							"max-lg:absolute max-lg:top-1 lg:ms-auto lg:-me-1.5",
							count > MAX_WAITING
								? "max-lg:start-[min(50%+0.65rem,100%-2.25rem)]"
								: "max-lg:start-[min(50%+0.65rem,100%-1.65rem)]",
						],
			)}
		>
			{count > MAX_WAITING ? `${MAX_WAITING}+` : count}
		</span>
	);
}

function NavLink({
	to,
	current,
	viewer,
	className = place,
}: {
	to: NavItem;
	current: string;
	viewer: Viewer;
	className?: string;
}) {
	const count = countOf(viewer, [to]);
	const words = (
		<>
			<Icon name={to.icon} />
			<Label label={to.label} short={to.short} />
			<Count of={count} isInRow={className === menuPlace} />
		</>
	);
	const isHere = to.path === current;
	return (
		<a
			href={to.path}
			{...waitingWords(to.waiting, count)}
			className={clsx(
				className,
				isHere
					? "bg-accent-soft font-semibold text-accent lg:font-normal"
					: "text-ink hover:bg-sunken",
			)}
			{...(isHere ? { "aria-current": "page" as const } : {})}
		>
			{words}
		</a>
	);
}

/** The counts of some entries. */
const countOf = ({ waiting }: Viewer, places: readonly NavItem[]) =>
	places.reduce((sum, place) => sum + ((place.waiting && waiting?.[place.waiting]) ?? 0), 0);

export function Navigation({ viewer, current }: { viewer: Viewer; current: string }) {
	const open = (items: readonly NavItem[]) =>
		items.filter(({ path }) => isAllowed(viewer.role, "GET", path));
	const more = open(MORE[portalOf(viewer)]);
	const places = open(NAV_ITEMS[portalOf(viewer)]);
	const isCrowded = places.length > BESIDE_MORE + 1;
	const folded = isCrowded ? [...places.slice(BESIDE_MORE), ...more] : [];
	return (
		<nav
			aria-label="Main"
			className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface px-[min(0.25rem,1vw)] pb-[env(safe-area-inset-bottom)] lg:static lg:w-60 lg:shrink-0 lg:border-0 lg:bg-transparent lg:p-0"
		>
			{places.map((to) =>
				to.waiting ? (
					<WaitingWords key={to.path} of={to.waiting} count={countOf(viewer, [to])} />
				) : null,
			)}
			<WaitingWords of="more" count={countOf(viewer, folded)} />
			<ul className="places">
				{places.map((to, position) => (
					<li
						key={to.path}
						className={clsx(
							"flex flex-1 lg:flex-none",
							isCrowded && position >= BESIDE_MORE && "max-lg:hidden",
						)}
					>
						<NavLink to={to} current={current} viewer={viewer} />
					</li>
				))}
				{more.length > 0 ? (
					<li className="px-2.5 pt-4 text-sm font-semibold text-quiet max-lg:hidden">More</li>
				) : null}
				{more.map((to) => (
					<li key={to.path} className="flex max-lg:hidden">
						<NavLink to={to} current={current} viewer={viewer} />
					</li>
				))}
				{folded.length > 0 ? (
					<li className="flex flex-1 lg:hidden">
						<details className="relative flex-1" data-menu="">
							<summary
								{...waitingWords("more", countOf(viewer, folded))}
								className={clsx(
									place,
									"list-none",
									folded.some(({ path }) => path === current) &&
										"bg-accent-soft font-semibold text-accent",
								)}
							>
								<Icon name="more" />
								More
								<Count of={countOf(viewer, folded)} />
							</summary>
							<ul className="absolute end-0 bottom-full mb-2 grid w-80 max-w-[92vw] gap-1 surface p-2">
								{folded.map((to) => (
									<li key={to.path}>
										<NavLink
											to={{ ...to, short: undefined }}
											current={current}
											viewer={viewer}
											className={menuPlace}
										/>
									</li>
								))}
							</ul>
						</details>
					</li>
				) : null}
			</ul>
		</nav>
	);
}

/** Screen readers get the full label; a phone shows the short one. */
function Label({ label, short }: { label: string; short: string | undefined }) {
	if (!short) return label;
	if (label.endsWith(short))
		return (
			<span>
				<span className="max-lg:sr-only">{label.slice(0, -short.length)}</span>
				{short}
			</span>
		);
	return (
		<>
			<span className="max-lg:sr-only">{label}</span>
			<span className="lg:hidden" aria-hidden="true">
				{short}
			</span>
		</>
	);
}
