import { expect, it } from "vitest";
import { describeDevice } from "./device.ts";

const MOZILLA = "Mozilla/5.0";
it.each([
	[
		`${MOZILLA} (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36`,
		"Chrome on Android",
	],
	[
		`${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
		"Safari on iPhone",
	],
	[
		`${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1`,
		"Chrome on iPhone",
	],
	[
		`${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
		"Edge on Windows",
	],
	[
		`${MOZILLA} (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
		"Samsung Internet on Android",
	],
	[
		`${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0`,
		"Firefox on Mac",
	],
	[
		`${MOZILLA} (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36`,
		"Chrome on ChromeOS",
	],
	["curl/8.14.1", undefined],
	["", undefined],
])("%s is %s", (agent, name) => {
	const headers = new Headers(agent === "" ? {} : { "User-Agent": agent });
	expect(describeDevice(new Request("https://fleet.example/", { headers }))).toBe(name);
});
