/** The parameters of the API's list of agreements. */
import { cursors } from "../../values/cursor.ts";

/** An agreement's position in the list: last made first. */
export const agreementCursors = cursors({ createdAt: "number", id: "id" });
export type AgreementCursor = NonNullable<ReturnType<typeof agreementCursors.parse>>;
