/** Drafts in the phone's database: one for each form, correction and answer. */
import { type Draft, type Drafts, type Fields, type FormName, open } from "./database.ts";
import { phoneUser } from "./store.ts";

/** What a form is about, if there may be several. */
const SUBJECTS: readonly string[] = ["correctsId", "replacesId", "requestId", "openedFor"];

/** The name of a form's draft; each correction, each answer, and each day and common request opened by its link has its own. */
export const draftId = (userId: string, form: FormName, fields: Fields): string => {
	const subject = fields.find(([name]) => SUBJECTS.includes(name))?.[1] ?? "";
	return `${userId} ${form} ${subject}`;
};

export async function readDraft(id: string): Promise<Draft | undefined> {
	return (await open()).get("drafts", id);
}

/** The draft of a form, whatever it is about, that was submitted last. */
export async function readLastSent(userId: string, form: FormName): Promise<Draft | undefined> {
	const prefix = draftId(userId, form, []);
	const all = await (await open()).getAll("drafts", IDBKeyRange.bound(prefix, `${prefix}\uffff`));
	return all.filter(({ isSent }) => isSent).sort((one, other) => other.typedAt - one.typedAt)[0];
}

/**
 * Saves a draft of the phone's user. The browser has the whole request as soon as this is called, so
 * the draft is kept even if the page is left at once.
 */
export async function saveDraft(draft: Draft): Promise<void> {
	await change((drafts) => drafts.put(draft));
	// A page that outlived its user's session keeps nothing. Asked first, it would need the page.
	if ((await phoneUser()) !== draft.userId) await forgetDraft(draft.id);
}

/** Removes a draft whatever it is, even if the page is left at once. */
export const forgetDraft = (id: string): Promise<void> => change((drafts) => drafts.delete(id));

/** Makes one change, which doesn't need the page any longer. */
async function change(request: (drafts: Drafts) => Promise<unknown>): Promise<void> {
	const tx = (await open()).transaction("drafts", "readwrite");
	const made = request(tx.store);
	tx.commit();
	await Promise.all([made, tx.done]);
}

/**
 * @param key removes it only if it was typed under this key: another may have been started
 * @param isSent removes it only if nothing was typed since it was submitted
 */
export async function removeDraft(id: string, key?: string, isSent = false): Promise<void> {
	const tx = (await open()).transaction("drafts", "readwrite");
	const draft = await tx.store.get(id);
	if (draft && (key ?? draft.key) === draft.key && (draft.isSent || !isSent))
		await tx.store.delete(id);
	await tx.done;
}
