/** Screenshots of the product in the reader's color scheme; in print the light one. */
import { fleetUnits, isDefaultUnits } from "../../values/fleet-units.ts";
import mileageDark from "./mileage-dark.webp?url";
import mileageLight from "./mileage-light.webp?url";
import requestDark from "./request-dark.webp?url";
import requestLight from "./request-light.webp?url";

type Shot = { readonly light: string; readonly dark: string; readonly says: string };

export const MILEAGE_PICTURE: Shot = {
	light: mileageLight,
	dark: mileageDark,
	says: "The mileage form on a phone: both odometer readings, the miles between them and the Log Mileage button.",
};
export const REQUEST_PICTURE: Shot = {
	light: requestLight,
	dark: requestDark,
	says: "The fund request form on a phone: common requests, type, amount, description and the Submit Request button.",
};

/** The height and width of all of them: a phone's screen. */
const [WIDTH, HEIGHT] = [360, 640];

/** They show dollars and miles, so a fleet with other units has none. */
export function Picture({ of: { light, dark, says } }: { of: Shot }) {
	if (!isDefaultUnits(fleetUnits())) return null;
	return (
		<picture className="justify-self-center">
			<source srcSet={dark} media="screen and (prefers-color-scheme: dark)" />
			<img
				src={light}
				alt={says}
				width={WIDTH}
				height={HEIGHT}
				className="h-auto w-64 max-w-full rounded-lg border border-line print:w-32"
			/>
		</picture>
	);
}
