/** What the statuses that many calls share mean. */
export const STATUSES: Readonly<Record<number, string>> = {
	304: "It is what If-None-Match names.",
	400: "Something in the request is wrong; message says what.",
	401: "Unauthorized: no one is signed in, or the token is wrong, expired or revoked.",
	403: "Forbidden: not for this account, or not sent from one of our pages.",
	404: "Not found, also for an account without a role.",
	409: "Someone else was faster, or it can't be done anymore.",
	413: "The body is too large.",
	414: "The URL is too long.",
	415: "The body isn't of an accepted type.",
	422: "The Idempotency-Key was used for other values.",
	429: "Too many in a while; Retry-After says when to try again.",
	500: "Something went wrong that isn't the request's fault.",
	503: "The database or the file store is down; Retry-After says when to try again.",
};

const wait = {
	"Retry-After": {
		description: "Seconds after which to try again.",
		required: true,
		schema: { type: "string" },
	},
};
/** The headers of answers with these statuses. */
export const STATUS_HEADERS: Readonly<Record<number, object>> = {
	401: {
		"WWW-Authenticate": { description: "Bearer, if a token was sent.", schema: { type: "string" } },
	},
	429: wait,
	503: wait,
};
