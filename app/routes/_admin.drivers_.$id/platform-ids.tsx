/** A driver's ids on ride platforms, by which statements find them; each can be removed. */
import { driverPath } from "../../domain/people/search.ts";
import { Button } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { DriverData } from "./view.server.ts";

export function PlatformIds({ data: { aliases, person } }: { data: DriverData }) {
	const mayForget = useMay()("POST", driverPath(person.id));
	if (aliases.length === 0) return null;
	return (
		<Section id="platform-ids" title="Platform IDs">
			<ul className="divide-y divide-line surface">
				{aliases.map(({ id, platform, platformId, name }) => (
					<li
						key={id}
						className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2"
					>
						<span className="grid min-w-0 wrap-anywhere">
							<span>{name ? `${platform}: ${name}` : platform}</span>
							<span className="text-sm text-quiet">{platformId}</span>
						</span>
						{mayForget ? (
							<form method="post" action={driverPath(person.id)} className="no-print">
								<input type="hidden" name="intent" value="forget" />
								<input type="hidden" name="id" value={id} />
								<Button variant="outline" pending="Removing...">
									Remove<span className="sr-only">{` ${platform} ${platformId}`}</span>
								</Button>
							</form>
						) : null}
					</li>
				))}
			</ul>
		</Section>
	);
}
