/**
 * What the document's frame needs and no loader gives: set once per request by entry.server.tsx.
 */
import { createContext, useContext } from "react";
import type { Toast } from "../messages.ts";

export type PageContext = {
	readonly appName: string;
	/** The style sheet, which stands in every document. */
	readonly styles: string;
	/** Address of the browser's one module. */
	readonly clientEntry: string;
	readonly toast: Toast | undefined;
	readonly requestId: string;
	/** The fleet's, in which every date and time is shown. */
	readonly timeZone: string;
	/** False when phones are to have no service worker. */
	readonly hasServiceWorker: boolean;
};

const Context = createContext<PageContext | undefined>(undefined);
export const PageContextProvider = Context.Provider;

/** The request's frame. Server-rendered parts only: an island has none. */
export function usePageContext(): PageContext {
	const value = useContext(Context);
	if (!value) throw new Error("rendered outside a page");
	return value;
}
