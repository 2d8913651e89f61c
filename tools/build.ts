/** `npm run build`: the production bundle, and the proof that nothing local is in it. */
import { bundle } from "./bundle.ts";
import { findForbiddenStrings } from "./verify-bundle.ts";

await bundle("production");
const strangers = findForbiddenStrings("build/production");
if (strangers.length > 0) {
	console.error(`The production bundle contains forbidden code:\n${strangers.join("\n")}`);
	process.exit(1);
}
console.log(
	"Production bundle in build/production: no local sign-in, no published source map, no test code.",
);
