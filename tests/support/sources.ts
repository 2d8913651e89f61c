/** The application's code, as read by the law tests. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

type Import = { readonly from: string; readonly to: string; readonly isTypeOnly: boolean };
/** A module of app/: its text, its syntax tree and its imports. */
export type Source = {
	readonly path: string;
	readonly text: string;
	readonly tree: ts.SourceFile;
	readonly imports: readonly Import[];
};

/** Every file in a folder and its subfolders. */
export function filesUnder(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? filesUnder(path) : [path];
	});
}

/** Visits a node and all its descendants. */
export function everyNode(tree: ts.Node, visit: (node: ts.Node) => void): void {
	visit(tree);
	ts.forEachChild(tree, (child) => everyNode(child, visit));
}

/** The module that a specifier names: a path from the project's root, or the package name. */
export function resolved(from: string, specifier: string): string {
	return specifier.startsWith(".")
		? relative(".", resolve(dirname(from), specifier)).replace(/\?.*$/, "")
		: specifier;
}

/** True if a statement disappears once types are removed. */
function isTypeOnly(node: ts.ImportDeclaration): boolean {
	const clause = node.importClause;
	if (!clause) return false;
	if (clause.isTypeOnly) return true;
	const names = clause.namedBindings;
	return (
		!clause.name &&
		names !== undefined &&
		ts.isNamedImports(names) &&
		names.elements.length > 0 &&
		names.elements.every((each) => each.isTypeOnly)
	);
}

function importsOf(path: string, tree: ts.SourceFile): Import[] {
	const found: Import[] = [];
	const add = (node: ts.Node | undefined, isType: boolean) => {
		if (node && ts.isStringLiteralLike(node))
			found.push({ from: path, to: resolved(path, node.text), isTypeOnly: isType });
	};
	everyNode(tree, (node) => {
		if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node));
		else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
		else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
			add(node.argument.literal, true);
		else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
			add(node.arguments[0], false);
	});
	return found;
}

export const isCode = (path: string) => /\.(ts|tsx)$/.test(path) && !path.endsWith(".d.ts");
export const isTest = (path: string) => /\.test\.tsx?$/.test(path);
/** Every module of app/, tests included. */
export const all: readonly Source[] = filesUnder("app")
	.filter(isCode)
	.map((path) => {
		const text = readFileSync(path, "utf8");
		const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
		const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
		return { path, text, tree, imports: importsOf(path, tree) };
	});
/** Every module of app/ except the tests. */
export const sources = all.filter(({ path }) => !isTest(path));
/** A node's location, such as `app/root.tsx:12`. */
export const pathOfNode = (source: Source, node: ts.Node) =>
	`${source.path}:${source.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
