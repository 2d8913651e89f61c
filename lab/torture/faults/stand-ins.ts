/** The Worker's database, file store and email bindings, which ask the director at every call. */
import { HICCUP } from "./director.ts";

const ASK = `const tell = async (faults, call) =>
	(await faults.fetch("http://faults/", { method: "POST", body: JSON.stringify(call) })).json();
const pause = (wait) => new Promise((resolve) => setTimeout(resolve, wait));
/** An empty message is a kill's: whoever is told of it is gone before they hear. */
async function play(faults, call, run) {
	const order = await tell(faults, call);
	if (order.wait) await pause(order.wait);
	if (order.act === "before") throw new Error(order.message);
	const answer = await run(order).catch((error) => {
		throw order.act === "inside" ? new Error(order.message) : error;
	});
	if (order.act === "after") {
		if (!order.message) await tell(faults, { ...call, isDone: true });
		throw new Error(order.message);
	}
	return answer;
}
`;

/** A batch that fails inside gets an extra statement that SQLite refuses, so it is rolled back. */
export const FAULTY_D1 = `${ASK}
export default function ({ INNER, FAULTS }) {
	return {
		prepare: (sql) => ({ bind: (...values) => INNER.prepare(sql).bind(...values) }),
		batch: (list) =>
			play(FAULTS, { store: "d1", statements: list.length }, ({ act, statements }) =>
				INNER.batch(
					act === "inside"
						? list.toSpliced(statements, 0, INNER.prepare("select json('{')"))
						: list,
				),
			),
	};
}`;

export const FAULTY_R2 = `${ASK}
export default function ({ INNER, FAULTS }) {
	const through = (run) => (...given) => play(FAULTS, { store: "r2", statements: 1 }, () => run(...given));
	const upload = (inner) => ({
		key: inner.key,
		uploadId: inner.uploadId,
		uploadPart: through((...given) => inner.uploadPart(...given)),
		complete: through((...given) => inner.complete(...given)),
		abort: through((...given) => inner.abort(...given)),
	});
	const methods = ["head", "get", "put", "delete", "list"];
	return {
		...Object.fromEntries(methods.map((name) => [name, through((...given) => INNER[name](...given))])),
		createMultipartUpload: through(async (...given) => upload(await INNER.createMultipartUpload(...given))),
		resumeMultipartUpload: (...given) => upload(INNER.resumeMultipartUpload(...given)),
	};
}`;

/**
 * An email binding that asks to retry later hasn't accepted the email; after any other error it may
 * have.
 */
export const FAULTY_EMAIL = `${ASK}
export default function ({ FAULTS }) {
	const call = { store: "mail", statements: 1 };
	return {
		async send({ to }) {
			const order = await tell(FAULTS, call);
			if (order.wait) await pause(order.wait);
			const fault = new Error(order.message);
			if (order.act === "before")
				throw order.message === ${JSON.stringify(HICCUP)}
					? Object.assign(fault, { code: "E_RATE_LIMIT_EXCEEDED" })
					: fault;
			await tell(FAULTS, { ...call, taken: to });
			if (order.act !== "after") return;
			if (!order.message) await tell(FAULTS, { ...call, isDone: true });
			throw fault;
		},
	};
}`;
