/** `npm run build`: builds the production bundle, and proves that it contains nothing local. */
import { bundle } from "./bundle.ts";
import { findForbiddenCode } from "./verify-bundle.ts";

await bundle("production");
const strangers = findForbiddenCode("build/production");
if (strangers.length > 0) {
	console.error(`The production bundle contains forbidden code:\n${strangers.join("\n")}`);
	process.exit(1);
}
console.log(
	"Production bundle in build/production: no local sign-in, no published source map, no test code.",
);
