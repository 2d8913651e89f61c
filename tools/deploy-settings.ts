/** Mistakes that wrangler.toml must not contain, and what a deployment can do without. */
import type { Deployment } from "./deployment.ts";

const SECRETS = [
	...["COOKIE_SECRET", "OIDC_PROVIDERS", "MAIL_API_KEY", "MAIL_WEBHOOK_SECRET", "ERROR_WEBHOOK"],
];

/** Secrets visible to everyone who can read the repository or the dashboard. */
export function checkVariables({ vars, env }: Deployment): string[] {
	const where = env ? `[env.${env}.vars]` : "[vars]";
	return SECRETS.filter((name) => name in vars).map(
		(name) =>
			`${name} is a secret and stands in ${where} of wrangler.toml: take the line out, replace the value, which others may have read, and set it with npx wrangler secret put ${name} --env="${env}".`,
	);
}

/** Checks that the nightly export goes to a safe place in the right jurisdiction. */
export function checkBuckets({ bucket, backups }: Deployment): string[] {
	if (!backups) return [];
	if (backups.name === bucket.name)
		return [
			`RECEIPTS and BACKUPS are both the bucket ${bucket.name} in wrangler.toml: give BACKUPS one of its own, so that one mistake can't take both.`,
		];
	if (backups.jurisdiction === bucket.jurisdiction) return [];
	return [
		`In wrangler.toml RECEIPTS has ${jurisdiction(bucket)} and BACKUPS has ${jurisdiction(backups)}: the nightly export holds everything, so give BACKUPS the same one and a bucket in it.`,
	];
}

const jurisdiction = ({ jurisdiction: name }: { jurisdiction: string | undefined }) =>
	name ? `jurisdiction = "${name}"` : "no jurisdiction";

/** What a fleet can run without, and what that means, a phrase each. */
export function missingOptions(
	{ vars, backups, hasMetrics }: Deployment,
	secrets: ReadonlySet<string>,
): string[] {
	const without: string[] = [];
	if (!backups) without.push("no BACKUPS bucket (no nightly export)");
	if (!secrets.has("ERROR_WEBHOOK")) without.push("no ERROR_WEBHOOK (faults are only logged)");
	if (!hasMetrics) without.push("no METRICS dataset (no figures to alert on)");
	if (vars.MAIL_PROVIDER === "resend" && !secrets.has("MAIL_WEBHOOK_SECRET"))
		without.push("no MAIL_WEBHOOK_SECRET (bounces aren't shown)");
	return without;
}
