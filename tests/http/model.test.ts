/**
 * Random commands by drivers and administrators, through forms and the API, compared with a model
 * in plain arithmetic: each is allowed or refused as in the model, and every figure on screens, in
 * the API and in files matches (`npm run torture -- model` runs longer).
 */
import { it } from "vitest";
import { diceOf } from "../../lab/torture/dice.ts";
import { driverFigures, fleetFigures } from "../../lab/torture/model/figures.ts";
import { type Command, ModelFleet, randomCommand } from "../../lab/torture/model/fleet.ts";
import { Stage } from "../../lab/torture/model/play.ts";
import { report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { randomStep } from "../money/model.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
/** Commands in one sequence. */
const LENGTH = 100;

it(
	"allows what the model allows, and shows the same figures everywhere",
	async () => {
		await fleet.sql("delete from mileage_logs");
		const model = new ModelFleet();
		let below = diceOf(SEED, 0).below;
		const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
		const stage = new Stage(fleet, ada, ben, model, (most) => below(most));
		const count = async (where: string) =>
			(await fleet.sql<{ n: number }>(`select count(*) as n from users where ${where}`))[0]?.n ?? 0;
		const before = {
			drivers: await count("role = 'driver' and approval_status = 'approved' and is_active = 1"),
			applications: await count(
				"role = 'driver' and approval_status = 'pending' and is_active = 1 and first_name <> ''",
			),
		};
		const found = { sequences: 0, commands: 0, allowed: 0, verdicts: 0, figures: 0, different: 0 };
		const played = new Map<string, number>();
		const broken: string[] = [];
		const play = async (command: Command) => {
			const isAllowed = await stage.play(command);
			const expected = model.try(command);
			found.commands += 1;
			if (isAllowed === expected) {
				if (isAllowed) found.allowed += 1;
				const kind = command.kind === "money" ? command.step.kind : command.kind;
				if (isAllowed) played.set(kind, (played.get(kind) ?? 0) + 1);
				return true;
			}
			found.verdicts += 1;
			broken.push(`${JSON.stringify(command)} ${isAllowed ? "allowed" : "refused"}: ${stage.last}`);
			return false;
		};
		for (const round of rounds(2)) {
			below = diceOf(SEED, round).below;
			const firstDriver = model.drivers.length;
			model.begin();
			for (let each = 0; each < LENGTH; each++) {
				const step = () => randomStep(model.money, below);
				// Differences after the first one mean nothing.
				if (!(await play(randomCommand(model, below, firstDriver, step)))) break;
			}
			if (found.verdicts > 0) break;
			found.sequences += 1;
			const figures = await fleetFigures(model, stage, before);
			for (let driver = firstDriver; driver < model.drivers.length; driver++)
				figures.push(...(await driverFigures(model, stage, driver)));
			found.figures += figures.length;
			const different = figures.filter((figure) => figure.expected !== figure.found);
			found.different += different.length;
			for (const { where, expected, found: read } of different)
				broken.push(`${where}: ${read}, not ${expected}`);
			if (found.different > 0) break;
		}
		for (const each of broken.slice(0, 30)) console.log(each);
		console.log(JSON.stringify(Object.fromEntries(played)));
		report("model", [
			mustBeZero(
				`commands in sequences of ${LENGTH}`,
				found.commands,
				"wrongly allowed or refused",
				found.verdicts,
			),
			mustBeZero(
				"figures on screens, in calls and in files",
				found.figures,
				"different",
				found.different,
			),
			{
				tried: "sequences",
				times: found.sequences,
				what: "commands that were allowed",
				figure: found.allowed,
				must: "some of each kind",
				isMet: played.size >= 10,
			},
		]);
	},
	TIMEOUT,
);
