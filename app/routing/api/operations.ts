/**
 * What each call of the API is for, takes and answers. Who may make it, its limits and its methods
 * are in the route table (../routes.ts), the possible bodies in the schema that the call parses
 * with, and the answers in the shape that types its JSON.
 */
import { OFFICE_OPERATIONS } from "./office-operations.ts";
import type { Operation } from "./operation.ts";
import { RECORD_OPERATIONS } from "./record-operations.ts";
import { WEEK_OPERATIONS } from "./week-operations.ts";

/** By method and path, in the order of the document. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
	...RECORD_OPERATIONS,
	...OFFICE_OPERATIONS,
	...WEEK_OPERATIONS,
};
