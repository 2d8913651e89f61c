/**
 * Runs a job one run at a time. However often it is requested during a run, it runs once more
 * afterwards, so that the last run has seen everything.
 * @returns requests a run; resolves when none is left
 */
export function oneAtATime(job: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | undefined;
	let isWanted = false;
	const run = async () => {
		while (isWanted) {
			isWanted = false;
			await job();
		}
	};
	return () => {
		isWanted = true;
		running ??= run().finally(() => {
			running = undefined;
		});
		return running;
	};
}
