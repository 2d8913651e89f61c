/** `npm start`. */
import { start } from "./serve.ts";

await start();
