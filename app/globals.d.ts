/// <reference types="@cloudflare/workers-types" />

/** True in the local build only; vite.config.ts sets it. */
declare const __LOCAL_SIGN_IN__: boolean;

/** The service worker's script; tools/bundle.ts sets it. */
declare const __SERVICE_WORKER__: string;

/** The half of PDF.js that reads files, which has no types of its own. */
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs" {
	export const WorkerMessageHandler: { initializeFromPort(port: MessagePort): void };
}
