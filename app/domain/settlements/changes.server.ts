/** What counts as a change of a settlement in the API's list. */
import { settlements } from "../../db/schema.ts";
import { type ChangeSource, isItself, isOfRenamed } from "../kernel/changes.server.ts";

export const SETTLEMENT_CHANGES: ChangeSource = {
	table: settlements,
	links: [isItself("settlement"), isOfRenamed],
};
