/** Marks a payout as paid, with the day and the bank's reference. */
import { useForm } from "@conform-to/react";
import { PAYMENT_FIELDS } from "../../domain/payouts/fields.ts";
import { paymentInput } from "../../domain/payouts/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextField } from "../../ui/forms/fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import type { PayoutAnswer } from "./actions.server.ts";
import type { PayoutData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = paymentInput(ANY_DAY);

export function PayForm({ data, answer }: { data: PayoutData; answer: PayoutAnswer | undefined }) {
	const [, fields] = useForm<Record<keyof typeof PAYMENT_FIELDS, string>>({
		id: "payment",
		lastResult: answer?.form ?? null,
		defaultValue: { paidOn: data.today },
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	return (
		<Section id="pay" title="Mark as paid" className="print:hidden">
			<Card>
				{data.isOwn ? (
					<p>
						{`This payout includes your own ${data.settlements > 0 ? "requests or settlements" : "requests"}. Another administrator has to mark it as paid.`}
					</p>
				) : (
					<form
						method="post"
						action={`/payouts/${data.id}`}
						className="grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]"
					>
						<input type="hidden" name="intent" value="pay" />
						<TextField
							type="date"
							field={fields.paidOn}
							label={PAYMENT_FIELDS.paidOn.label}
							min={data.newestOn}
							max={data.today}
						/>
						<TextField field={fields.reference} label={PAYMENT_FIELDS.reference.label} />
						<Button pending="Marking as paid...">{`Mark ${data.total} as paid`}</Button>
					</form>
				)}
			</Card>
		</Section>
	);
}
