/**
 * Downloads reports in the page: says that one is being generated and when it is done, or why it
 * failed. Without it the forms download by themselves.
 */
import { useEffect, useState } from "react";
import { TOASTS, type Toast as ToastWords } from "../messages.ts";
import { Alert } from "../ui/primitives/alert.tsx";
import { Toast } from "../ui/toast.tsx";

/** The first and last date of a range, as sent to the API of docs/product.md §7. */
type Dates = { readonly startDate: string; readonly endDate: string };
export type ReportDownloadProps = {
	/** Where a signed-out visitor is sent. */
	readonly signIn: string;
	/**
	 * The dates of every range except the custom one, on the day the page was rendered; the server
	 * uses the range that is sent with them.
	 */
	readonly ranges: Readonly<Record<string, Dates>>;
};

/**
 * Milliseconds until a quick action starts, and until a visitor is sent to sign-in (docs/product.md
 * §9).
 */
const QUICK_AFTER = 100;
const SIGN_IN_AFTER = 500;

type Shown = {
	readonly number: number;
	readonly toast: ToastWords;
	readonly problems: readonly string[];
	/** The field of the first of them, which gets the focus. */
	readonly field: HTMLElement | null;
};
type Refused = { readonly message?: string; readonly fields?: FieldErrors };

/**
 * Passes the file to the browser with the server's name for it.
 * @throws TypeError if it isn't one of our files, such as the sign-in page of a public network
 */
async function save(response: Response): Promise<void> {
	const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
	if (name === undefined) throw new TypeError("no file");
	const address = URL.createObjectURL(await response.blob());
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	// By then the browser has the file; earlier, it may still be reading.
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Marks invalid fields with a message each, and clears earlier marks.
 * @returns the first one
 */
function markFields(form: HTMLFormElement, errors: FieldErrors): HTMLElement | null {
	for (const field of form.querySelectorAll("[aria-invalid]")) {
		document.getElementById(`${field.id}-error`)?.remove();
		field.removeAttribute("aria-invalid");
		field.removeAttribute("aria-describedby");
	}
	for (const [name, words] of Object.entries(errors)) {
		const field = form.querySelector(`[name="${CSS.escape(name)}"]`);
		if (!field) continue;
		const place = document.createElement("p");
		place.id = `${field.id}-error`;
		place.className = "text-sm font-semibold wrap-anywhere text-bad";
		place.append(words.join(". "));
		field.insertAdjacentElement("afterend", place);
		field.setAttribute("aria-invalid", "true");
		field.setAttribute("aria-describedby", place.id);
	}
	return form.querySelector("[aria-invalid]");
}

export default function ReportDownload({ signIn, ranges }: ReportDownloadProps) {
	const [isBusy, setBusy] = useState(false);
	const [shown, setShown] = useState<Shown>();

	useEffect(() => {
		let isRunning = false;
		let number = 0;
		const say = (
			toast: ToastWords,
			problems: readonly string[] = [],
			field: HTMLElement | null = null,
		) => setShown({ number: ++number, toast, problems, field });
		const fail = async (form: HTMLFormElement, response: Response) => {
			const { message, fields = {} } = (await response.json().catch(() => ({}))) as Refused;
			if (response.status === 401) {
				say(TOASTS.unauthorized);
				setTimeout(() => location.assign(signIn), SIGN_IN_AFTER);
				return;
			}
			const all = [...new Set(Object.values(fields).flat())];
			const problems = all.length > 0 ? all : message ? [message] : [];
			// On a phone the toast precedes the form: it says what is wrong, too.
			say(
				{
					...TOASTS.reportFailed,
					text: [TOASTS.reportFailed.text, problems[0]].filter(Boolean).join(". "),
				},
				problems,
				markFields(form, fields),
			);
		};
		const run = async (form: HTMLFormElement) => {
			const button = form.querySelector("button");
			const words = button?.textContent ?? "";
			setShown(undefined);
			setBusy(true);
			button?.setAttribute("aria-disabled", "true");
			button?.replaceChildren("Generating...");
			markFields(form, {});
			form.querySelector("[id$=-problems]")?.remove();
			const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
			try {
				const response = await fetch(form.dataset.download ?? "", {
					method: "POST",
					headers: { "Content-Type": "application/json" },
					body: JSON.stringify({ ...fields, ...ranges[fields.range ?? ""] }),
				});
				if (!response.ok) return await fail(form, response);
				await save(response);
				say(TOASTS.reportGenerated);
			} catch {
				say(TOASTS.reportFailed, [
					"The report couldn't be downloaded. Check your connection and try again.",
				]);
			} finally {
				isRunning = false;
				setBusy(false);
				button?.removeAttribute("aria-disabled");
				button?.replaceChildren(words);
			}
		};
		const submit = (event: SubmitEvent) => {
			event.preventDefault();
			if (isRunning) return;
			isRunning = true;
			const form = event.currentTarget as HTMLFormElement;
			if (form.dataset.quick === undefined) void run(form);
			else setTimeout(() => void run(form), QUICK_AFTER);
		};
		const forms = [
			...document.querySelectorAll<HTMLFormElement>("form[data-download]:not([data-download=''])"),
		];
		for (const form of forms) {
			form.addEventListener("submit", submit);
			form.dataset.isAwake = "yes";
			if (form.dataset.isHeld) form.requestSubmit();
		}
		return () => {
			for (const form of forms) form.removeEventListener("submit", submit);
		};
	}, [signIn, ranges]);

	// Once the toast is there: the page scrolls it clear of the focused field.
	useEffect(() => shown?.field?.focus(), [shown]);

	return (
		<div>
			<p role="status" className="mb-2 font-semibold empty:absolute">
				{isBusy ? "Generating the report..." : null}
			</p>
			{isBusy ? <progress className="mb-4 w-full" aria-label="Generating the report" /> : null}
			{shown && shown.problems.length > 0 ? (
				<Alert variant="bad" className="mb-4" isAtField={shown.field !== null}>
					{shown.problems.map((problem) => (
						<p key={problem}>{problem}</p>
					))}
				</Alert>
			) : null}
			{shown ? <Toast key={shown.number} toast={shown.toast} /> : null}
		</div>
	);
}
