import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PersonChoice } from "./person-choice.tsx";

const chosenFrom = (people: readonly { id: string; label: string; email: null }[]) =>
	renderToStaticMarkup(
		<PersonChoice
			name="driverId"
			label="Driver"
			choice={{ isSearch: false, people, scope: "drivers", text: "", isOpen: false } as never}
			nobody={{ value: "", label: "Select a driver" }}
			isRequired
		/>,
	);

it("says that there is nobody to select, where somebody has to be", () => {
	expect(chosenFrom([])).toContain("No drivers to select");
	expect(chosenFrom([])).not.toContain("Select a driver");
	expect(chosenFrom([{ id: "1", label: "Dana", email: null }])).toContain("Select a driver");
});
