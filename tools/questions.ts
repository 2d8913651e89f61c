/** Asks questions at a terminal, or reads the answers from a pipe. */
import { createInterface } from "node:readline";

export type Question = {
	/** The question as it is shown. */
	readonly text: string;
	/** Used when nothing is typed. */
	readonly otherwise?: string;
	/** Optional: if nobody is there to answer, `otherwise` is used. */
	readonly isOptional?: true;
	/** How to give the answer without being asked. */
	readonly flag: string;
	/** What is wrong with an answer. */
	readonly fault?: (answer: string) => string | undefined | Promise<string | undefined>;
};

/**
 * Nobody answered, or the answer was wrong and can't be asked again. The message is one sentence.
 */
export class UnansweredQuestion extends Error {}

/** Asks one question after another. The caller closes it. */
export function openQuestions() {
	const reader = createInterface({ input: process.stdin });
	const lines = reader[Symbol.asyncIterator]();

	/**
	 * A valid answer.
	 * @param given on the command line, in which case nothing is asked
	 */
	async function ask(
		{ text, otherwise, isOptional, flag, fault }: Question,
		given: string | undefined,
	): Promise<string> {
		if (given !== undefined) {
			const wrong = await fault?.(given);
			if (wrong)
				throw new UnansweredQuestion(
					flag.endsWith(wrong.split(" ")[0] ?? "") ? `${wrong}.` : `${flag}: ${wrong}.`,
				);
			return given;
		}
		for (;;) {
			process.stdout.write(`${text}${otherwise === undefined ? "" : ` [${otherwise}]`}: `);
			const { value, done } = await lines.next();
			// A terminal shows the Enter that ends an answer.
			if (!process.stdin.isTTY) console.log("");
			if (done && isOptional && otherwise !== undefined) return otherwise;
			if (done)
				throw new UnansweredQuestion(`${text} is still to be said: answer it, or use ${flag}.`);
			const answer = String(value).trim() || (otherwise ?? "");
			const wrong = answer === "" ? "an answer is needed" : await fault?.(answer);
			if (!wrong) return answer;
			console.log(`${wrong}.`);
		}
	}
	return { ask, close: () => reader.close() };
}
export type Ask = ReturnType<typeof openQuestions>["ask"];
