/** The phone's clock: when something was captured there. The one place in the browser that asks it. */

/** UTC milliseconds as the phone believes them. */
export const phoneNow = (): number => Date.now();
