/** Signing out with unsent entries asks first: send, keep for me, or discard. */
import { appendTo, button, element } from "./elements.ts";
import { isUnsent, sendAll } from "./sending.ts";
import { deleteEntries, forgetUser, listEntries, phoneUser } from "./store.ts";

type Choice = "leave" | "stay";

/** The entries that would be left behind. */
async function unsent(userId: string) {
	return (await listEntries(userId)).filter(isUnsent);
}

function ask(userId: string, count: number): Promise<Choice> {
	return new Promise((resolve) => {
		const problem = element("p", { role: "alert", class: "font-semibold text-bad empty:hidden" });
		const close = (choice: Choice) => {
			dialog.close();
			dialog.remove();
			resolve(choice);
		};
		const send = async () => {
			problem.replaceChildren("Sending...");
			await sendAll().catch(() => "later");
			const left = (await unsent(userId)).length;
			if (left === 0) close("leave");
			else
				problem.replaceChildren(
					left === 1 ? "1 entry couldn't be sent." : `${left} entries couldn't be sent.`,
				);
		};
		const dialog = element(
			"dialog",
			{
				class: "sheet w-[calc(100%-2rem)] max-w-lg surface p-(--sheet-room) text-ink",
				"aria-labelledby": "sign-out-title",
			},
			element(
				"div",
				{ class: "grid gap-4" },
				element(
					"h2",
					{ id: "sign-out-title", class: "text-lg font-semibold" },
					"Sign out with unsent entries?",
				),
				element(
					"p",
					{},
					count === 1
						? "1 entry on this phone hasn't been sent yet."
						: `${count} entries on this phone haven't been sent yet.`,
				),
				problem,
				button("default", "Send now, then sign out", () => void send()),
				button("outline", "Keep and sign out", () => close("leave")),
				element(
					"p",
					{ class: "text-sm text-quiet" },
					"Entries you keep stay on this phone. No one else can see them, and they're sent when you sign in again.",
				),
				button("destructive", "Discard and sign out", async () => {
					await deleteEntries((await unsent(userId)).map(({ id }) => id));
					close("leave");
				}),
				button("ghost", "Stay signed in", () => close("stay")),
			),
		);
		dialog.addEventListener("cancel", () => close("stay"));
		appendTo(document.body, dialog);
		dialog.showModal();
	});
}

/** Whether the question is being asked: the button may be pressed twice. */
let isAsking = false;

/**
 * Signs out by the form, after asking what to do with waiting entries. Whatever goes wrong on the
 * phone, it signs out.
 */
export async function leave(form: HTMLFormElement): Promise<void> {
	if (isAsking) return;
	isAsking = true;
	try {
		const userId = await phoneUser();
		const count = userId === undefined ? 0 : (await unsent(userId)).length;
		if (userId !== undefined && count > 0 && (await ask(userId, count)) === "stay") return;
		// With a controlling worker, it forgets once the server has answered; without one, this is the
		// last chance.
		if (!navigator.serviceWorker?.controller) await forgetUser();
	} catch {
		// The plain form works without this.
	} finally {
		isAsking = false;
	}
	form.submit();
}
