/** The setup step that creates the buckets: one for receipts, one for the nightly export. */
import * as v from "valibot";
import { type AccountApi, orUndefined } from "./cloudflare-api.ts";
import { bucketRequest, deploymentIn } from "./deployment.ts";
import { type Bucket, jurisdictionHeader } from "./wrangler-config.ts";
import { tableIn, writeSetting } from "./wrangler-toml.ts";

/** The account's bucket, if it exists. */
export const bucketExists = (api: AccountApi, bucket: Bucket) => {
	const { path, headers } = bucketRequest(bucket);
	return orUndefined(api(path, v.object({ name: v.string() }), { headers }));
};

/** The buckets bound in wrangler.toml, with what each is for. */
const bucketsIn = (env: string): readonly (readonly [use: string, bucket: Bucket])[] => {
	const { bucket, backups } = deploymentIn(env);
	return [["Receipts", bucket], ...(backups ? ([["Nightly export", backups]] as const) : [])];
};

/** Writes a bucket's jurisdiction. */
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

/** Creates the missing buckets. */
export async function setUpBuckets(env: string, api: AccountApi, location: string): Promise<void> {
	for (const [use, bucket] of bucketsIn(env)) {
		if (await bucketExists(api, bucket)) {
			console.log(`${use}: bucket ${bucket.name} exists.`);
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
