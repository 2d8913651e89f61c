/** The part of oidc-provider that the tests use; the package has no types. */
declare module "oidc-provider" {
	import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

	class Prompt {
		constructor(of: { name: string; requestable: boolean });
	}
	export const interactionPolicy: {
		Prompt: typeof Prompt;
		base(): { add(prompt: Prompt, position: number): void };
	};
	export default class Provider {
		constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
		callback(): RequestListener;
		interactionDetails(
			request: IncomingMessage,
			response: ServerResponse,
		): Promise<{
			uid: string;
			prompt: { name: string };
			params: Readonly<Record<string, string>>;
			session?: { accountId: string };
		}>;
		interactionFinished(
			request: IncomingMessage,
			response: ServerResponse,
			result: object,
		): Promise<void>;
		on(event: string, listener: (context: unknown, error: Error) => void): this;
		Grant: new (of: {
			accountId: string;
			clientId: string;
		}) => { addOIDCScope(scopes: string): void; save(): Promise<string> };
	}
}
