/// <reference types="@cloudflare/workers-types" />

/** True in the local build only; vite.config.ts sets it. */
declare const __LOCAL_SIGN_IN__: boolean;
