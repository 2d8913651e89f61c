/** `npm run notices`: writes the licenses of the third-party code in a release. */
import { writeFileSync } from "node:fs";
import { bundle } from "./bundle.ts";
import { buildNotices, NOTICES } from "./third-party.ts";

await bundle("production");
const { text, packages } = buildNotices("build/production");
writeFileSync(NOTICES, text);
console.log(`${NOTICES}: ${packages.length} packages.`);
