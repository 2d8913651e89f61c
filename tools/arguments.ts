import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * Reads a tool's options from the command line, or those given as `args`.
 * @param toFault the tool's own error, from what is wrong with them in a few words
 */
export function readArguments<const Config extends ParseArgsConfig>(
	config: Config,
	toFault: (reason: string) => Error,
): ReturnType<typeof parseArgs<Config>> {
	try {
		return parseArgs(config);
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		throw toFault(text.split(/[.\n]/)[0] ?? text);
	}
}
