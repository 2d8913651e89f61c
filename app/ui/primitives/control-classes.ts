/** What every control looks like, also one that a phone's outbox draws by hand. */
export const CONTROL = "w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink";

/** What a faulty control looks like beside that. */
export const FAULTY = "aria-invalid:border-2 aria-invalid:border-bad";
