/** Islands: parts that already work as HTML, and become interactive when the browser has time. */
import type { ComponentType } from "react";

/**
 * Renders a component in place and marks it for entry.client.tsx, which hydrates it on first
 * interaction or when idle. The markup is static, so the component writes every text as one
 * expression: `{`${a} b`}`, not `{a} b`.
 * @param name its module in app/islands
 * @param isEager hydrated with the page, because it listens to keys
 * @param props plain serializable values, stored in an attribute
 */
export function Island<Props extends object>({
	name,
	component: Component,
	props,
	className,
	isEager = false,
}: {
	name: string;
	component: ComponentType<Props>;
	props: Props;
	className?: string;
	isEager?: boolean;
}) {
	return (
		<div
			data-island={name}
			data-props={JSON.stringify(props)}
			{...(className ? { className } : {})}
			{...(isEager ? { "data-eager": "" } : {})}
		>
			<Component {...props} />
		</div>
	);
}
