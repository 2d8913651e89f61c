/** GET /api/docs: the API's document as a page, readable without a script. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Card } from "../../ui/primitives/card.tsx";
import { useView } from "../../ui/use-view.ts";
import type { ApiDocsView, ShownCall, ShownField } from "./view.server.ts";

export const handle = { title: "API" };

export async function loader({ context: { settings } }: LoaderFunctionArgs): Promise<ApiDocsView> {
	const { apiDocs } = await import("./view.server.ts");
	return apiDocs(settings.appName, settings.origin);
}

const link = "text-accent underline underline-offset-2";

function Fields({ caption, fields }: { caption: string; fields: readonly ShownField[] }) {
	if (fields.length === 0) return null;
	return (
		<div
			className="overflow-x-auto"
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys
			tabIndex={0}
		>
			<table className="w-full text-sm">
				<caption className="pb-1 text-start font-semibold">{caption}</caption>
				<tbody>
					{fields.map(({ name, kind, isRequired, text }) => (
						<tr key={name} className="border-t border-line align-top">
							<th scope="row" className="py-1 pe-4 text-start font-mono font-normal">
								{name}
							</th>
							<td className="py-1 pe-4 text-quiet">
								{kind}
								{isRequired ? ", required" : ""}
							</td>
							<td className="py-1">{text}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function Example({ title, text }: { title: string; text: string }) {
	if (text === "") return null;
	return (
		<details>
			<summary className="min-h-11 cursor-pointer content-center text-sm font-semibold">
				{title}
			</summary>
			<pre className="overflow-x-auto rounded-md bg-canvas p-3 font-mono text-sm">{text}</pre>
		</details>
	);
}

function Call({ call }: { call: ShownCall }) {
	return (
		<Card className="grid grid-cols-1 gap-3">
			<h3 id={call.id} className="grid gap-1">
				<span className="font-semibold">{call.summary}</span>
				<code className="font-mono text-sm break-all">
					{call.method} {call.path}
				</code>
			</h3>
			<p className="text-sm">{call.about}</p>
			<Fields caption="Parameters" fields={call.parameters} />
			{call.bodies.map(({ type, fields, example }) => (
				<div key={type} className="grid grid-cols-1 gap-3">
					<Fields caption={`Body, ${type}`} fields={fields} />
					<Example title="Example of a body" text={example} />
				</div>
			))}
			<Example title="Example of an answer" text={call.answerExample} />
			<details>
				<summary className="min-h-11 cursor-pointer content-center text-sm font-semibold">
					Statuses: {call.statuses.map(({ status }) => status).join(", ")}
				</summary>
				<dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
					{call.statuses.map(({ status, text }) => (
						<div key={status} className="contents">
							<dt className="font-mono">{status}</dt>
							<dd>{text}</dd>
						</div>
					))}
				</dl>
			</details>
		</Card>
	);
}

export default function ApiDocs() {
	const { title, about, groups } = useView<ApiDocsView>();
	return (
		<main id="main" className="mx-auto grid max-w-4xl grid-cols-1 gap-6 px-4 py-10">
			<h1 className="text-2xl font-semibold">{title}</h1>
			<p>{about}</p>
			<p>
				<a className={link} href="/api/openapi.json">
					OpenAPI document
				</a>
			</p>
			{groups.map(({ name, calls }) => (
				<section key={name} aria-label={name} className="grid grid-cols-1 gap-4">
					<h2 className="text-lg font-semibold">{name}</h2>
					{calls.map((call) => (
						<Call key={call.id} call={call} />
					))}
				</section>
			))}
		</main>
	);
}
