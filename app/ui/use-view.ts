/** What a screen is given, typed (only here) by the functions that made it. */
import { useActionData, useLoaderData } from "@remix-run/react";

/**
 * The view that the screen's loader made. Views are plain data: numbers, texts, lists and nothing
 * that serializing would change.
 */
export function useView<View>(): View {
	return useLoaderData() as View;
}

/** What the screen's action answered, if a form was posted and the answer isn't a redirect. */
export function useAnswer<Answer>(): Answer | undefined {
	return useActionData() as Answer | undefined;
}
