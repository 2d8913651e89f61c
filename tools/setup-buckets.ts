/** The step of setting up that makes the buckets: one for receipts, one for the nightly export. */
import * as v from "valibot";
import { type AccountApi, found } from "./cloudflare-api.ts";
import { type Bucket, bucketRequest, deploymentIn, jurisdictionHeader } from "./deployment.ts";
import { tableIn, writeSetting } from "./wrangler-toml.ts";

/** A bucket of the account, if it is there. */
export const isThere = (api: AccountApi, bucket: Bucket) => {
	const { path, headers } = bucketRequest(bucket);
	return found(api(path, v.object({ name: v.string() }), { headers }));
};

/** The buckets that wrangler.toml binds, with what each is for. */
const bucketsIn = (env: string): readonly (readonly [use: string, bucket: Bucket])[] => {
	const { bucket, backups } = deploymentIn(env);
	return [["Receipts", bucket], ...(backups ? ([["Nightly export", backups]] as const) : [])];
};

/** Writes where the bucket of a binding has to stay. */
export const writeJurisdiction = (env: string, binding: string, jurisdiction: string) =>
	writeSetting(
		{
			table: tableIn(env, "r2_buckets"),
			binding,
			key: "jurisdiction",
			value: JSON.stringify(jurisdiction),
			isIn: ({ r2_buckets }) =>
				r2_buckets.some((each) => each.binding === binding && each.jurisdiction === jurisdiction),
		},
		env,
	);

/** Creates the buckets that aren't there: for receipts, and for the nightly export. */
export async function setUpBuckets(env: string, api: AccountApi, location: string): Promise<void> {
	for (const [use, bucket] of bucketsIn(env)) {
		if (await isThere(api, bucket)) {
			console.log(`${use}: bucket ${bucket.name} is there.`);
			continue;
		}
		const where = bucket.jurisdiction || location === "auto" ? {} : { locationHint: location };
		await api("/r2/buckets", v.object({ name: v.string() }), {
			method: "POST",
			body: { name: bucket.name, ...where },
			headers: jurisdictionHeader(bucket.jurisdiction),
		});
		console.log(`${use}: bucket ${bucket.name} created.`);
	}
}
