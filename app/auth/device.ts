/** What a session's device is called: the browser and the system, as far as its request says. */

const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
	// Each of these also claims to be one further down.
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

/** `Chrome on Android`, `Firefox`, `Windows`; nothing of a device that doesn't say. */
export function deviceOf(request: Request): string | undefined {
	const agent = request.headers.get("User-Agent") ?? "";
	const browser = first(BROWSERS, agent);
	const system = first(SYSTEMS, agent);
	return browser && system ? `${browser} on ${system}` : (browser ?? system);
}
