/** The portal around every screen of a signed-in person: header, places, main. */
import type { ReactNode } from "react";
import type { Toast as ToastWords } from "../messages.ts";
import { FindForm, FindLink } from "./find-form.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { OutboxMark } from "./outbox-mark.tsx";
import { usePageContext } from "./page-context.tsx";
import { cn } from "./primitives/cn.ts";
import { Toast } from "./toast.tsx";

/** Whose portal it is. */
export type Viewer = {
	readonly id: string;
	readonly role: "admin" | "driver";
	readonly firstName: string;
	readonly lastName: string;
};

type NavItem = {
	readonly label: string;
	readonly short?: string;
	readonly path: string;
	readonly icon: IconName;
};

const NAV_ITEMS: Readonly<Record<Viewer["role"], readonly NavItem[]>> = {
	driver: [
		{ label: "Dashboard", path: "/", icon: "home" },
		{ label: "Log Mileage", path: "/mileage", icon: "road" },
		{ label: "Fund Requests", path: "/requests", icon: "money" },
		{ label: "History", path: "/history", icon: "history" },
	],
	admin: [
		{ label: "Overview", path: "/", icon: "home" },
		{ label: "Fund Requests", short: "Requests", path: "/fund-requests", icon: "money" },
		{ label: "Mileage Reports", short: "Mileage", path: "/mileage-reports", icon: "chart" },
		{ label: "Uber Fees", short: "Fees", path: "/uber-fees", icon: "receipt" },
		{ label: "Driver Management", short: "Drivers", path: "/drivers", icon: "people" },
		{ label: "Reports", path: "/reports", icon: "report" },
	],
};

const place =
	"flex min-h-16 min-w-[min(4rem,16vw)] flex-1 flex-col items-center rounded-md px-[min(0.25rem,1vw)] pt-1.5 pb-1 text-center text-[min(0.875rem,max(14px,4vw))] leading-tight no-underline lg:min-h-11 lg:w-full lg:flex-none lg:flex-row lg:gap-3 lg:px-3 lg:py-0 lg:text-start lg:text-base";

const menuPlace = "flex min-h-11 items-center gap-3 rounded-md px-3 no-underline";

/** Further pages, after the entries of docs/product.md §2. */
const MORE: Readonly<Record<Viewer["role"], readonly NavItem[]>> = {
	driver: [{ label: "Help", path: "/help", icon: "help" }],
	admin: [
		{ label: "Payouts", path: "/payouts", icon: "money" },
		{ label: "Audit", path: "/audit", icon: "shield" },
		{ label: "Outbox", path: "/outbox", icon: "mail" },
		{ label: "Settings", path: "/settings", icon: "settings" },
	],
};

/** Places that fit beside 'More' in a phone's bottom bar. */
const BESIDE_MORE = 4;

function NavLink({
	to,
	current,
	className = place,
}: {
	to: NavItem;
	current: string;
	className?: string;
}) {
	const words = (
		<>
			<Icon name={to.icon} />
			<Label label={to.label} short={to.short} />
		</>
	);
	const isHere = to.path === current;
	return (
		<a
			href={to.path}
			className={cn(
				className,
				isHere ? "bg-accent-soft font-semibold text-accent" : "text-ink hover:bg-sunken",
			)}
			{...(isHere ? { "aria-current": "page" as const } : {})}
		>
			{words}
		</a>
	);
}

function Navigation({ role, current }: { role: Viewer["role"]; current: string }) {
	const more = MORE[role];
	const places = NAV_ITEMS[role];
	const isCrowded = places.length > BESIDE_MORE + 1;
	const folded = isCrowded ? [...places.slice(BESIDE_MORE), ...more] : [];
	return (
		<nav
			aria-label="Main"
			className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface px-[min(0.25rem,1vw)] pb-[env(safe-area-inset-bottom)] lg:static lg:w-60 lg:shrink-0 lg:border-0 lg:bg-transparent lg:p-0"
		>
			<ul className="flex lg:sticky lg:top-22 lg:flex-col lg:gap-1">
				{places.map((to, position) => (
					<li
						key={to.path}
						className={cn(
							"flex flex-1 lg:flex-none",
							isCrowded && position >= BESIDE_MORE && "max-lg:hidden",
						)}
					>
						<NavLink to={to} current={current} />
					</li>
				))}
				{more.length > 0 ? (
					<li className="px-3 pt-4 text-sm font-semibold text-quiet max-lg:hidden">More</li>
				) : null}
				{more.map((to) => (
					<li key={to.path} className="flex max-lg:hidden">
						<NavLink to={to} current={current} />
					</li>
				))}
				{folded.length > 0 ? (
					<li className="flex flex-1 lg:hidden">
						<details className="relative flex-1" data-menu="">
							<summary
								className={cn(
									place,
									"list-none",
									folded.some(({ path }) => path === current) &&
										"bg-accent-soft font-semibold text-accent",
								)}
							>
								<Icon name="more" />
								More
							</summary>
							<ul className="absolute end-0 bottom-full mb-2 grid w-64 max-w-[92vw] gap-1 rounded-lg border border-line bg-surface p-2">
								{folded.map((to) => (
									<li key={to.path}>
										<NavLink
											to={{ label: to.label, path: to.path, icon: to.icon }}
											current={current}
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

/** The whole label for everyone; on a phone the eye sees the short one. */
function Label({ label, short }: { label: string; short: string | undefined }) {
	if (!short) return label;
	return (
		<>
			<span className="max-lg:sr-only">{label}</span>
			<span className="lg:hidden" aria-hidden="true">
				{short}
			</span>
		</>
	);
}

/** Sign out, as the form it is. */
export function SignOut({ variant = "header" }: { variant?: "header" | "gate" | "beside-find" }) {
	return (
		<form method="post" action="/api/logout" data-signed-in="">
			<button
				type="submit"
				data-pending="Signing out..."
				className={
					variant === "gate"
						? "inline-flex min-h-11 items-center gap-2 rounded-md border border-field bg-surface px-4 font-semibold hover:bg-sunken"
						: "inline-flex min-h-11 items-center gap-2 rounded-md px-[min(0.5rem,2vw)] font-semibold whitespace-nowrap text-accent hover:bg-sunken"
				}
			>
				<Icon
					name="exit"
					{...(variant === "beside-find" ? { className: "size-5 max-sm:hidden" } : {})}
				/>
				Sign Out
			</button>
		</form>
	);
}

/** Whose portal it is: the way to one's own account. */
function Identity({ viewer, isHere }: { viewer: Viewer; isHere: boolean }) {
	const isAdmin = viewer.role === "admin";
	return (
		<a
			href="/account"
			className="flex min-h-11 min-w-0 items-center gap-2 rounded-md font-semibold text-ink no-underline"
			{...(isHere ? { "aria-current": "page" as const } : {})}
		>
			<span className="grid size-9 shrink-0 place-items-center rounded-md bg-accent text-on-accent">
				<Icon name={isAdmin ? "shield" : "car"} />
			</span>
			<span className="grid min-w-0 leading-tight @max-[15rem]:sr-only">
				<span className={cn("text-base", isAdmin && "truncate max-sm:text-sm")}>
					{isAdmin ? "Admin Portal" : "Driver Portal"}
				</span>
				<span className="truncate text-sm font-normal text-quiet underline">
					{viewer.firstName} {viewer.lastName}
				</span>
			</span>
			<span className="sr-only">(account)</span>
		</a>
	);
}

/**
 * A screen of the portal.
 * @param current the path of its place in the sidebar
 * @param isWide as wide as the window on a large screen: for what is worked in
 * @param notice what has to be read before anything else
 * @param toast what the action answered, shown instead of the flash toast
 * @param toastAction what can be done about what the toast says
 */
export function Portal({
	viewer,
	current,
	title,
	subtitle,
	notice,
	toast,
	toastAction,
	isWide = false,
	children,
}: {
	viewer: Viewer;
	current: string;
	title: string;
	subtitle?: ReactNode;
	notice?: ReactNode;
	toast?: ToastWords | undefined;
	toastAction?: ReactNode;
	isWide?: boolean;
	children: ReactNode;
}) {
	const frame = usePageContext();
	const shown = toast ?? frame.toast;
	const isAdmin = viewer.role === "admin";
	return (
		<>
			<a
				href="#main"
				className="sr-only z-50 rounded-md bg-accent text-on-accent focus:not-sr-only focus:fixed focus:p-3 focus:top-2 focus:left-2"
			>
				Skip to content
			</a>
			<header className="sticky top-0 z-20 border-b border-line bg-surface">
				<div
					className={cn(
						"@container mx-auto flex min-h-16 items-center justify-between gap-2 px-4",
						isWide ? "max-w-[120rem]" : "max-w-7xl",
					)}
				>
					<Identity viewer={viewer} isHere={current === "/account"} />
					{isAdmin && current !== "/find" ? <FindForm /> : null}
					<div className="flex shrink-0 items-center">
						{isAdmin ? <FindLink /> : null}
						<SignOut variant={isAdmin ? "beside-find" : "header"} />
					</div>
				</div>
			</header>
			{shown ? <Toast toast={shown}>{toastAction}</Toast> : null}
			<div
				className={cn(
					"mx-auto flex gap-8 px-4 pt-6 pb-28 lg:pb-12 print:block print:p-0",
					isWide ? "max-w-[120rem]" : "max-w-7xl",
				)}
			>
				<Navigation role={viewer.role} current={current} />
				<main
					id="main"
					tabIndex={-1}
					className="grid min-w-0 flex-1 content-start gap-6 outline-none"
				>
					<div className="grid gap-1">
						<h1 className="text-[min(var(--text-xl),12vw)] leading-tight font-semibold wrap-anywhere sm:text-2xl">
							{title}
						</h1>
						{subtitle ? <p className="text-quiet">{subtitle}</p> : null}
					</div>
					{notice}
					{isAdmin ? null : <OutboxMark userId={viewer.id} />}
					{children}
					{/* A phone's bottom bar has no room for it, and the page that knows nobody no way there. */}
					{!isAdmin && viewer.id !== "" && current !== "/help" ? (
						<p className="lg:hidden print:hidden">
							<a
								className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent"
								href="/help"
							>
								<Icon name="help" />
								Help
							</a>
						</p>
					) : null}
				</main>
			</div>
		</>
	);
}
