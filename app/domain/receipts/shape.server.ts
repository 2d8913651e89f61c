/** A stored receipt in the API's answers. */
import * as v from "valibot";
import { MEDIA_TYPES } from "../../db/schema.ts";
import { count, id } from "../../values/shapes.ts";

export const receiptShape = v.strictObject({
	id,
	receiptUrl: v.pipe(v.string(), v.description("What a fund request calls it.")),
	fileName: v.string(),
	mediaType: v.picklist(MEDIA_TYPES),
	byteSize: count,
});
