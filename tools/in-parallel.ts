/**
 * Does the work for each item, some at a time. Once one has failed no other is started, and those
 * under way end first: what they still write would outlive its removal.
 * @throws the first error
 */
export async function inParallel<Item>(
	atOnce: number,
	items: readonly Item[],
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const left = [...items];
	const errors: unknown[] = [];
	const takeAll = async () => {
		for (let next = left.pop(); next !== undefined && errors.length === 0; next = left.pop())
			await work(next).catch((error: unknown) => errors.push(error));
	};
	await Promise.all(Array.from({ length: atOnce }, takeAll));
	if (errors.length > 0) throw errors[0];
}
