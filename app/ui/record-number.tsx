import type { ReactNode } from "react";

/** What stays on one line: a record's code or number, an amount, a count. */
const UNBROKEN =
	/\(?(?:DRV|FR|PO|ST)-\d+\)?|-?\$?\d{1,3}(?:,\d{3}){1,3}(?:\.\d\d)?|-?\$\d{1,3}\.\d\d/;

/** The same text with everything that a narrow column shouldn't break kept on one line. */
export function withoutBreaks(words: string): ReactNode {
	const whole = UNBROKEN.exec(words);
	if (!whole) return words;
	return (
		<>
			{words.slice(0, whole.index)}
			<span className="whitespace-nowrap">{whole[0]}</span>
			{withoutBreaks(words.slice(whole.index + whole[0].length))}
		</>
	);
}

/** Words that end in a record's number, which stays on one line. */
export function EndingInNumber({ words, number }: { words: string; number: string }) {
	return (
		<span>
			{`${words} `}
			<span className="whitespace-nowrap">{number}</span>
		</span>
	);
}
