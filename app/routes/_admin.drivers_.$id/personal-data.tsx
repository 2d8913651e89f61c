/** What an administrator does when somebody asks what is held about them, or has left for long. */
import { driverPath } from "../../domain/drivers/search.ts";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import type { Person } from "../_admin.drivers/people.ts";

export function PersonalData({ person }: { person: Person }) {
	return (
		<Section id="personal-data" title="Personal data" className="print:hidden">
			<p className="max-w-3xl text-quiet">
				One ZIP with everything held about them: profile, sign-ins, trips, requests with their
				receipts, payouts, fees, emails and audit. The download is recorded under your name.
			</p>
			<div>
				<ButtonLink variant="outline" href={`${driverPath(person.id)}/data.zip`}>
					Download everything
					<span className="sr-only"> about {person.name}</span>
				</ButtonLink>
			</div>
		</Section>
	);
}
