/**
 * The tree that a screen reader gets of each screen as the server sends it, compared with its file in
 * `trees/`. To renew them, delete `trees/`, run `npm test -- browser/trees` and read the differences.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { openScreens, type Screen } from "./screens.ts";
import { maskTree, shellOf, treeName, withoutShell } from "./trees.ts";

const { screens: all, pageOf } = await openScreens({ isFresh: true });

// Their sessions are among the rows that each test begins with, and are listed in one order.
beforeAll(async () => {
	for (const who of new Set(all.map(([whose]) => whose))) await pageOf(who, false);
});

const SHELLS = [
	["administrators", "admin@milepost.test"],
	["drivers", "dana@milepost.test"],
] as const;

describe("a screen reader gets the tree of its file", () => {
	const screens = all.filter(
		// What describes the API repeats the same few lines for each call.
		([, path, act, outcome]) =>
			(!act || outcome) && !path.endsWith("?stay") && path !== "/api/docs",
	);
	const names = screens.map(([who, path, , outcome]) => treeName(who, `${path} ${outcome ?? ""}`));
	/** Without a script nothing wakes up while the tree is read. */
	async function treeOf(...[who, path, act]: Screen) {
		const page = await pageOf(who, false);
		await page.goto(path);
		await act?.(page);
		// The screen behind a dialog has a file of its own.
		const part = page.locator(page.url().includes("dialog=") ? "dialog" : "body");
		return maskTree(await part.ariaSnapshot());
	}
	const shells = new Map<string | undefined, Promise<string[]>>();
	/** What stands around the screens of an administrator or of Dana; others have few. */
	function shellAround(who: string | undefined): Promise<string[]> {
		if (!SHELLS.some(([, whose]) => whose === who)) return Promise.resolve([]);
		const shell = shells.get(who) ?? treeOf(who, "/account").then(shellOf);
		shells.set(who, shell);
		return shell;
	}

	it("which is a file of its own for each screen", () => {
		expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
	});

	it.each(SHELLS)("the shell of %s", async (whose, who) => {
		const shell = await shellAround(who);
		await expect(`${shell.join("\n")}\n`).toMatchFileSnapshot(`trees/shell-of-${whose}.yml`);
	});

	it.each(screens.map((screen, at) => [names[at] ?? "", screen] as const))(
		"%s",
		async (name, screen) => {
			const tree = withoutShell(await treeOf(...screen), await shellAround(screen[0]));
			await expect(tree).toMatchFileSnapshot(`trees/${name}.yml`);
		},
	);
});
