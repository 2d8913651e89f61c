/** Asks the browser to keep what waits. */
import { isLeaving } from "./fresh-page.ts";

/** Remembers that it was asked: Firefox asks the driver, who shouldn't be asked on every page. */
const ASKED = "asked-to-persist";

/**
 * Asks the browser not to delete what waits when the phone is full or Milepost isn't used for a
 * while. It is asked only if something waits, and by a page that stays for the answer.
 */
export async function askToPersist(): Promise<void> {
	const { storage } = navigator;
	if (isLeaving() || !storage?.persist) return;
	try {
		if (sessionStorage.getItem(ASKED)) return;
		sessionStorage.setItem(ASKED, "yes");
	} catch {
		// Without it the browser is asked again.
	}
	if (!(await storage.persisted())) await storage.persist();
}
