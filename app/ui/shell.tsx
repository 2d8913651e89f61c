/** The portal around every screen of a signed-in person: header, navigation, main part. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { Toast as ToastWords } from "../messages.ts";
import { formatDate } from "../values/calendar-date.ts";
import { FindForm, FindLink } from "./find-form.tsx";
import { Icon } from "./icons.tsx";
import { MORE, Navigation, type Viewer } from "./navigation.tsx";
import { OutboxMark } from "./outbox-mark.tsx";
import { usePageContext } from "./page-context.tsx";
import { Toast } from "./toast.tsx";

/** The sign-out form. */
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

const PORTAL_NAMES = {
	admin: "Admin Portal",
	viewer: "Accountant Portal",
	driver: "Driver Portal",
} as const;

/** The signed-in person, linked to their account. */
function Identity({ viewer, isHere }: { viewer: Viewer; isHere: boolean }) {
	const isOffice = viewer.role !== "driver";
	return (
		<a
			href="/account"
			className="flex min-h-11 min-w-0 items-center gap-2 rounded-md font-semibold text-ink no-underline"
			{...(isHere ? { "aria-current": "page" as const } : {})}
		>
			<span className="grid size-9 shrink-0 place-items-center rounded-md bg-accent text-on-accent">
				<Icon name={isOffice ? "shield" : "car"} />
			</span>
			<span className="grid min-w-0 leading-tight @max-[15rem]:sr-only">
				<span className={clsx("text-base", isOffice && "truncate max-sm:text-sm")}>
					{PORTAL_NAMES[viewer.role]}
				</span>
				<span className="truncate text-sm font-normal text-quiet underline">
					{viewer.firstName} {viewer.lastName}
				</span>
			</span>
			<span className="sr-only">(account)</span>
		</a>
	);
}

/** The header and the navigation around a page's main part. */
function Frame({
	viewer,
	current,
	isWide = false,
	toast,
	children,
}: {
	viewer: Viewer;
	current: string;
	isWide?: boolean;
	toast: ReactNode;
	children?: ReactNode;
}) {
	const isOffice = viewer.role !== "driver";
	// The office's screens differ in width, but not in where the navigation is.
	const width = isOffice ? "max-w-[120rem]" : "max-w-7xl";
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
					className={clsx(
						"@container mx-auto flex min-h-16 items-center justify-between gap-2 px-4",
						width,
					)}
				>
					<Identity viewer={viewer} isHere={current === "/account"} />
					{isOffice && current !== "/find" ? <FindForm /> : null}
					<div className="flex shrink-0 items-center">
						{isOffice ? <FindLink /> : null}
						<SignOut variant={isOffice ? "beside-find" : "header"} />
					</div>
				</div>
			</header>
			{toast}
			<div
				className={clsx(
					"mx-auto flex gap-8 px-4 pt-4 pb-33 sm:pt-6 lg:pb-12 print:block print:p-0",
					width,
				)}
			>
				<Navigation viewer={viewer} current={current} />
				<main
					id="main"
					tabIndex={-1}
					className={clsx(
						"grid min-w-0 flex-1 content-start gap-4 outline-none sm:gap-6",
						isOffice && !isWide && "max-w-6xl",
					)}
				>
					{children}
				</main>
			</div>
		</>
	);
}

/**
 * Whose a printed screen is, what it lists and when it was printed; paper has no filters. It isn't
 * text, which a page search or a screen reader would find on screen too.
 */
function PaperLine({ listed }: { listed: readonly (string | undefined)[] }) {
	const { appName, today } = usePageContext();
	return (
		<p
			className="paper-line text-sm text-quiet wrap-anywhere"
			data-paper={[appName, ...listed, `printed ${formatDate(today)}`].filter(Boolean).join(" · ")}
		/>
	);
}

/** The portal around an empty page: a toast says why, and is its heading. */
export function EmptyPortal({ viewer, toast }: { viewer: Viewer; toast: ToastWords }) {
	return <Frame viewer={viewer} current="" toast={<Toast toast={toast} isLasting />} />;
}

/**
 * A screen of the portal.
 * @param current the path of its entry in the sidebar
 * @param isWide as wide as the window on a large screen, for screens people work in
 * @param listed the filters and the period of what it lists, for paper
 * @param notice something to be read before anything else
 * @param toast the action's result, shown instead of the flash toast
 * @param toastAction what can be done about the toast
 */
export function Portal({
	viewer,
	current,
	title,
	subtitle,
	notice,
	toast,
	toastAction,
	isWide,
	listed = [],
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
	listed?: readonly (string | undefined)[];
	children: ReactNode;
}) {
	const frame = usePageContext();
	const shown = toast ?? frame.toast;
	const isOffice = viewer.role !== "driver";
	return (
		<Frame
			viewer={viewer}
			current={current}
			{...(isWide === undefined ? {} : { isWide })}
			toast={shown ? <Toast toast={shown}>{toastAction}</Toast> : null}
		>
			<div className="grid gap-1">
				<h1 className="text-[min(var(--text-xl),12vw)] leading-tight font-semibold wrap-anywhere sm:text-2xl">
					{title}
				</h1>
				{subtitle ? <p className="text-quiet">{subtitle}</p> : null}
				{isOffice ? <PaperLine listed={listed} /> : null}
			</div>
			{notice}
			{isOffice ? null : <OutboxMark userId={viewer.id} />}
			{children}
			{/* A phone's bottom bar has no room for them, and a page without a user has no way there. */}
			{!isOffice && viewer.id !== "" ? (
				<p className="flex flex-wrap gap-x-6 lg:hidden print:hidden">
					{MORE.driver
						.filter(({ path }) => path !== current)
						.map(({ label, path, icon }) => (
							<a
								key={path}
								className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent"
								href={path}
							>
								<Icon name={icon} />
								{label}
							</a>
						))}
				</p>
			) : null}
		</Frame>
	);
}
