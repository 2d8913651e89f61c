/** The remembered drivers of platforms, each with a button that forgets it. */
import { driverPath } from "../../domain/people/search.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { useMay } from "../../ui/use-may.ts";

type Remembered = {
	readonly id: string;
	readonly driverId: string;
	readonly driver: string;
	readonly platform: string;
	readonly platformId: string;
	readonly name: string;
};

export function RememberedDrivers({
	remembered,
	hasMore,
	search,
}: {
	remembered: readonly Remembered[];
	/** Whether there are older ones. */
	hasMore: boolean;
	search: string;
}) {
	const mayForget = useMay()("POST", "/uber-fees/import");
	return (
		<>
			<form method="get" action="/uber-fees/import#remembered" className="flex items-end gap-3">
				<PlainField id="alias" label="Driver ID or platform ID">
					{(control) => (
						<Input {...control} type="search" name="alias" defaultValue={search} maxLength={200} />
					)}
				</PlainField>
				<Button variant="outline">Find</Button>
			</form>
			{hasMore ? (
				<p className="text-quiet">
					{`The ${remembered.length} newest are shown. Find others by driver ID or platform ID.`}
				</p>
			) : null}
			{remembered.length === 0 ? (
				<Empty>{search ? "No remembered drivers match" : "No drivers are remembered yet"}</Empty>
			) : (
				<DataTable
					caption="Remembered drivers"
					columns={[
						{ head: "Driver" },
						{ head: "Platform" },
						{ head: "In the statement" },
						...(mayForget ? [{ head: "Actions", isHidden: true, isControl: true }] : []),
					]}
					isDense
				>
					{remembered.map(({ id, driverId, driver, platform, platformId, name }) => (
						<tr key={id} id={`alias-${id}`}>
							<TableRowHead label="Driver" className="wrap-anywhere">
								<a href={driverPath(driverId)} className="text-accent">
									{driver}
								</a>
							</TableRowHead>
							<TableCell label="Platform">{platform}</TableCell>
							<TableCell label="In the statement" className="wrap-anywhere">
								<span className="grid">
									<span>{name || platformId}</span>
									{name ? <span className="text-sm text-quiet">{platformId}</span> : null}
								</span>
							</TableCell>
							{mayForget ? (
								<TableCell isControl>
									<form method="post" action="/uber-fees/import" className="ms-auto w-fit">
										<input type="hidden" name="intent" value="forget" />
										<input type="hidden" name="id" value={id} />
										<Button
											variant="ghost"
											pending="Removing..."
											className="px-1.5 text-bad sm:text-sm"
										>
											Remove<span className="sr-only">{` ${name || platformId}`}</span>
										</Button>
									</form>
								</TableCell>
							) : null}
						</tr>
					))}
				</DataTable>
			)}
		</>
	);
}
