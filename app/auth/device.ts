/** Names a session's device by the browser and system in its request. */

const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
	// Each of these also claims to be one listed below it.
	["Edge", /\bEdgi?A?(?:OS)?\//],
	["Opera", /\bOPR\//],
	["Samsung Internet", /\bSamsungBrowser\//],
	["Firefox", /\b(?:Firefox|FxiOS)\//],
	["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
	["Safari", /\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
	["Android", /\bAndroid\b/],
	["iPhone", /\biPhone\b/],
	["iPad", /\biPad\b/],
	["Windows", /\bWindows\b/],
	["ChromeOS", /\bCrOS\b/],
	["Mac", /\bMacintosh\b/],
	["Linux", /\bLinux\b/],
];

const first = (names: typeof BROWSERS, text: string) =>
	names.find(([, pattern]) => pattern.test(text))?.[0];

/** `Chrome on Android`, `Firefox` or `Windows`; empty for a device that doesn't say. */
export function describeDevice(request: Request): string | undefined {
	const agent = request.headers.get("User-Agent") ?? "";
	const browser = first(BROWSERS, agent);
	const system = first(SYSTEMS, agent);
	return browser && system ? `${browser} on ${system}` : (browser ?? system);
}
