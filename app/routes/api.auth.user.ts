/** GET /api/auth/user: who is signed in. */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "../auth/guard.server.ts";
import { userJson } from "../domain/people/json.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { self } = await requireUser(args);
	const { currency, distanceUnit } = self.settings;
	return json({ ...userJson(self.user), fleet: { currency, distanceUnit } });
}
