/** What the document needs and no loader returns: set once per request by entry.server.tsx. */
import { createContext, useContext } from "react";
import type { Toast } from "../messages.ts";
import type { CalendarDate } from "../values/calendar-date.ts";

export type PageContext = {
	readonly appName: string;
	/** The style sheet, which is inlined in every document. */
	readonly styles: string;
	/** URL of the browser's module. */
	readonly clientEntry: string;
	readonly toast: Toast | undefined;
	readonly requestId: string;
	/** The fleet's, in which every date and time is shown. */
	readonly timeZone: string;
	readonly today: CalendarDate;
	/** False if phones are to have no service worker. */
	readonly hasServiceWorker: boolean;
};

const Context = createContext<PageContext | undefined>(undefined);
export const PageContextProvider = Context.Provider;

/** The request's page context. Only for server-rendered parts: islands don't have it. */
export function usePageContext(): PageContext {
	const value = useContext(Context);
	if (!value) throw new Error("rendered outside a page");
	return value;
}
