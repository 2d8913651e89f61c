/** Which modules may use the clock and the database, and which may write. */
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { everyNode, sources } from "./support/sources.ts";

describe("who may ask the clock and the database", () => {
	it("the clock is read only where a request arrives, where a D1 trip is timed, and where a phone captures something", () => {
		const readers = new Set<string>();
		for (const source of sources)
			everyNode(source.tree, (node) => {
				const isNow =
					ts.isPropertyAccessExpression(node) &&
					/^(Date|performance)$/.test(node.expression.getText()) &&
					node.name.text === "now";
				const isBareDate =
					(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
					node.expression.getText() === "Date" &&
					!node.arguments?.length;
				if (isNow || isBareDate) readers.add(source.path);
			});
		expect([...readers].sort()).toEqual([
			"app/db/client.server.ts",
			"app/offline/clock.ts",
			"app/worker/entry.ts",
		]);
	});

	it("no script reloads its page: a refused form from another site would be sent again as our own", () => {
		const reloaders = sources
			.filter(({ text }) => /\.reload\(\)|history\.go\(/.test(text))
			.map(({ path }) => path);
		expect(reloaders).toEqual([]);
	});

	it("no SQL reads SQLite's clock either", () => {
		const askers = sources
			.filter(({ text }) =>
				/current_timestamp|current_date|unixepoch\(\)|'now'|julianday\('now/i.test(text),
			)
			.map(({ path }) => path);
		expect(askers).toEqual([]);
	});

	it("SQL is only in server modules of the domain and auth", () => {
		const isAllowed = (path: string) =>
			/^app\/db\/|^app\/domain\/(.+\/)?[^/]+\.server\.ts$|^app\/auth\/(.+\/)?[^/]+\.server\.ts$/.test(
				path,
			);
		const wrong = sources
			.filter(({ path }) => !isAllowed(path))
			.flatMap(({ imports }) => imports)
			.filter(
				({ to, isTypeOnly }) =>
					(to.startsWith("drizzle-orm") || to === "app/db/schema.ts") && !isTypeOnly,
			);
		expect(wrong).toEqual([]);
		const raw = sources
			.filter(({ path, text }) => !isAllowed(path) && /\.(prepare|exec)\(\s*["'`]/.test(text))
			.map(({ path }) => path);
		expect(raw).toEqual([]);
	});

	it("only the kernel and commands write business rows", () => {
		const tables = ["users", "identities", "mileage_logs", "fund_requests", "receipts"];
		tables.push("fee_imports", "uber_fees", "request_messages", "settings");
		tables.push("settlement_messages");
		const objects = tables.map((name) =>
			name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		);
		const writes = new RegExp(
			`\\.(insert|update|delete)\\((${objects.join("|")})\\)|\\b(insert into|update|delete from)\\s+\\W{0,3}(${[...tables, ...objects].join("|")})\\b`,
		);
		const writers = sources
			.filter(
				({ path }) =>
					path.startsWith("app/") &&
					!path.startsWith("app/db/") &&
					!/^app\/domain\/[^/]+\/commands\//.test(path),
			)
			.filter(({ text }) => writes.test(text))
			.map(({ path }) => path);
		expect(writers).toEqual([]);
		const kernel = /\/(transition|create-once)\.server\.ts$/;
		const withoutIt = sources
			.filter(({ path, text }) => /^app\/domain\/[^/]+\/commands\//.test(path) && writes.test(text))
			.filter(({ imports }) => !imports.some(({ to }) => kernel.test(to)))
			.map(({ path }) => path);
		expect(withoutIt.sort()).toEqual([
			// It moves entries into the archive; one audit entry says how many.
			"app/domain/archive/commands/move-entries.server.ts",
			// Its statements are part of the change that logs or voids a trip.
			"app/domain/mileage/commands/refresh-flags.server.ts",
			// Signing in is one batch, whichever account it uses.
			"app/domain/people/commands/claim-invitation.server.ts",
			"app/domain/people/commands/create-account.server.ts",
			// It writes an audit entry when someone's erasure is complete.
			"app/domain/personal-data/commands/erase-audit.server.ts",
			// Its statements are part of the change that pseudonymizes someone.
			"app/domain/personal-data/commands/erasure.server.ts",
			// A file's row is written in the batch of the command that needs it.
			"app/domain/receipts/commands/receipt-row.server.ts",
			// It deletes; one audit entry a day says how many.
			"app/domain/receipts/commands/sweep.server.ts",
			// Its statements are part of the import that corrects fees, and of undoing it.
			"app/domain/statements/commands/replace-fees.server.ts",
		]);
	});

	it("email is queued by one function", () => {
		const queuing = sources.filter(({ text }) =>
			/insert into (mails|\$\{mails\})|\.insert\(mails\)/.test(text),
		);
		expect(queuing.map(({ path }) => path)).toEqual(["app/domain/mail/queue.server.ts"]);
	});

	it("replicas are read where the guard proves a driver, so a decision never rests on one", () => {
		const readers = sources.filter(({ text }) => /\.readReplica\(|\bwithSession\(/.test(text));
		expect(readers.map(({ path }) => path).sort()).toEqual([
			"app/auth/guard.server.ts",
			"app/db/client.server.ts",
		]);
	});

	it("only db/client.server.ts prepares or batches on a binding", () => {
		const touching = sources.filter(
			({ path, text }) =>
				path !== "app/db/client.server.ts" && /\benv\.DB\b(?![,)])|\.prepare\(/.test(text),
		);
		expect(touching.map(({ path }) => path)).toEqual([]);
	});

	it("no statement uses REPLACE, which deletes without firing the triggers that keep history", () => {
		expect(
			sources
				.filter(({ text }) => /\bor\s+replace\b|\breplace\s+into\b/i.test(text))
				.map(({ path }) => path),
		).toEqual([]);
	});

	it("only the guard makes a context", () => {
		const makers = sources
			.filter(({ text }) =>
				/as (unknown as )?(DriverContext|AdminContext|SelfContext)\b/.test(text),
			)
			.map(({ path }) => path);
		expect(makers).toEqual(["app/auth/guard.server.ts"]);
	});
});
