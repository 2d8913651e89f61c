/** GET /api/people: the people that a search box suggests. */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { searchPeople } from "../domain/people/choice.server.ts";
import { PEOPLE_SCOPES, resultCount, searchText, toPersonChoice } from "../domain/people/choice.ts";

export async function loader(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const scope = PEOPLE_SCOPES.find((each) => each === query.get("among")) ?? "everybody";
	const text = searchText(query.get("search"));
	const { people } = await requireReader(args, ({ build }) => ({
		...(text ? { people: searchPeople(build, scope, text) } : {}),
	}));
	const choice = toPersonChoice(people ?? [], { id: "", text, answered: "" }, scope);
	return json({
		people: choice.people.map(({ id, label, email }) => ({ id, label, email })),
		found: resultCount(choice),
	});
}
