/** Why a link's offer is no longer possible, above the screen that opened instead. */
import { Alert, AlertDescription } from "./primitives/alert.tsx";

export type TooLateReason = {
	readonly words: string;
	/** What can be done instead. */
	readonly advice: string | undefined;
};

export function TooLate({ reason }: { reason: TooLateReason | undefined }) {
	if (!reason) return null;
	return (
		<Alert variant="wait" className="max-w-2xl" takesFocus>
			<p>{reason.words}</p>
			{reason.advice ? <AlertDescription>{reason.advice}</AlertDescription> : null}
		</Alert>
	);
}
