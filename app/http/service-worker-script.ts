/** The service worker, which tools/bundle.ts bundles: loaded on demand, because no page contains it. */
export const SCRIPT = __SERVICE_WORKER__;
