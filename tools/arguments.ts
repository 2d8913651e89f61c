import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * Reads a tool's options from the command line, or from `args`.
 * @param toFault makes the tool's own error from a short description of the problem
 */
export function readArguments<const Config extends ParseArgsConfig>(
	config: Config,
	toFault: (reason: string) => Error,
): ReturnType<typeof parseArgs<Config>> {
	try {
		return parseArgs(config);
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		// Its first sentence; a full stop may also be part of what was typed.
		throw toFault(text.split(/\.?(?:\n|$)|\. (?=[A-Z])/)[0] ?? text);
	}
}
