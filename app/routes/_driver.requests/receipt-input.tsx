import type { ComponentProps } from "react";
import { ACCEPT } from "../../domain/receipts/rules.ts";
import { Input } from "../../ui/primitives/input.tsx";

/** A receipt's file field. */
export const ReceiptInput = ({
	megabytes,
	...control
}: ComponentProps<typeof Input> & {
	/** The largest file. */
	readonly megabytes: number;
}) => <Input {...control} type="file" name="receipt" accept={ACCEPT} data-megabytes={megabytes} />;
