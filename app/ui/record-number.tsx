/** Words that end in a record's number, which stays on one line. */
export function EndingInNumber({ words, number }: { words: string; number: string }) {
	return (
		<span>
			{`${words} `}
			<span className="whitespace-nowrap">{number}</span>
		</span>
	);
}
