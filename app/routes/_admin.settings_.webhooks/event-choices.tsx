import { EVENTS, type WebhookEvent } from "../../domain/webhooks/rules.ts";
import { Checkbox } from "../../ui/primitives/checkbox.tsx";
import { FieldError, type FieldErrors } from "../../ui/primitives/field.tsx";

/** A checkbox for each event. */
export function EventChoices({
	prefix,
	chosen,
	errors,
}: {
	/** Prefix of the ids, which must differ between forms. */
	prefix: string;
	chosen: readonly WebhookEvent[];
	errors?: FieldErrors;
}) {
	const errorId = `${prefix}-events-error`;
	return (
		<fieldset className="grid gap-1" {...(errors?.length ? { "aria-describedby": errorId } : {})}>
			<legend className="pb-1 font-semibold">Events</legend>
			<div className="grid gap-x-6 sm:grid-cols-2">
				{Object.entries(EVENTS).map(([event, words]) => {
					const id = `${prefix}-${event.replace(".", "-")}`;
					return (
						<div key={event} className="flex items-center">
							<Checkbox
								id={id}
								name="events"
								value={event}
								defaultChecked={chosen.includes(event as WebhookEvent)}
							/>
							<label htmlFor={id} className="min-h-11 min-w-0 grow py-1 pl-3">
								{words}
								<code className="block text-sm text-quiet">{event}</code>
							</label>
						</div>
					);
				})}
			</div>
			<FieldError id={errorId} errors={errors} />
		</fieldset>
	);
}
