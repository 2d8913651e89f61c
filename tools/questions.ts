/** Asks at a terminal, or reads the answers from a pipe. */
import { createInterface } from "node:readline";

export type Question = {
	/** As it is shown. */
	readonly text: string;
	/** Taken when nothing is typed. */
	readonly otherwise?: string;
	/** Nobody has to be there to answer: then `otherwise` is taken. */
	readonly isOptional?: true;
	/** How the same is said without being asked. */
	readonly flag: string;
	/** What is wrong with an answer. */
	readonly fault?: (answer: string) => string | undefined;
};

/** Nobody answered, or wrongly where nobody can be asked again; the message is one sentence. */
export class Unanswered extends Error {}

/** Questions one after the other; the caller closes it. */
export function questions() {
	const reader = createInterface({ input: process.stdin });
	const lines = reader[Symbol.asyncIterator]();

	/**
	 * An answer that is right.
	 * @param given what was said on the command line; it is not asked for then
	 */
	async function ask(
		{ text, otherwise, isOptional, flag, fault }: Question,
		given: string | undefined,
	): Promise<string> {
		if (given !== undefined) {
			const wrong = fault?.(given);
			if (wrong) throw new Unanswered(`${flag}: ${wrong}.`);
			return given;
		}
		for (;;) {
			process.stdout.write(`${text}${otherwise === undefined ? "" : ` [${otherwise}]`}: `);
			const { value, done } = await lines.next();
			if (done && isOptional && otherwise !== undefined) return otherwise;
			if (done) throw new Unanswered(`\n${text} is still to be said: answer it, or use ${flag}.`);
			const answer = String(value).trim() || (otherwise ?? "");
			const wrong = answer === "" ? "an answer is needed" : fault?.(answer);
			if (!wrong) return answer;
			console.log(`${wrong}.`);
		}
	}
	return { ask, close: () => reader.close() };
}
export type Ask = ReturnType<typeof questions>["ask"];
