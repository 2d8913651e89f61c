/** The toast cookie. */
import { expect, it } from "vitest";
import { readSettings } from "../env.server.ts";
import { clearToastCookie, readToast, seeOther } from "./toast.server.ts";

const settingsOf = (origin: string) =>
	readSettings({ APP_ORIGIN: origin, COOKIE_SECRET: "0123456789abcdef0123456789abcdef" });
const OVER_TLS = settingsOf("https://fleet.example");
const LOCAL = settingsOf("http://localhost:8787");

it("the cookie is prefixed and secure behind TLS, hidden from scripts and not sent from other sites", async () => {
	const line = (await seeOther("/", OVER_TLS, "mileageLogged")).headers.get("Set-Cookie") ?? "";
	expect(line).toMatch(/^__Host-toast=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
	expect(await clearToastCookie(OVER_TLS)).toMatch(/^__Host-toast=[^;]*; Max-Age=0; Path=\/;/);
	const request = (cookie: string) =>
		new Request("https://fleet.example/", { headers: { cookie } });
	const pair = line.split(";")[0] ?? "";
	expect(await readToast(request(pair), OVER_TLS)).toBeDefined();
	expect(await readToast(request(pair.replace("__Host-", "")), OVER_TLS)).toBeUndefined();
});

it("has a plain name on http", async () => {
	const line = (await seeOther("/", LOCAL, "mileageLogged")).headers.get("Set-Cookie") ?? "";
	expect(line).toMatch(/^toast=[^;]+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/);
});
