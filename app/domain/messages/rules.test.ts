/** How a thread words its messages. */
import { expect, it } from "vitest";
import { describeThread, type ThreadMessage } from "./rules.ts";

const message: ThreadMessage = {
	...{ id: "m1", position: 1, authorRole: "admin", firstName: "Ada", lastName: "" },
	...{ text: "Which van?", createdAt: Date.UTC(2026, 10, 23, 12) },
};

it("names each message's author and time, and is empty where nobody has asked", () => {
	expect(describeThread({ thread: null }, "UTC")).toEqual([]);
	const thread = [message, { ...message, id: "m2", authorRole: "driver", lastName: "B" } as const];
	expect(describeThread({ thread }, "UTC")).toMatchObject([
		{ id: "m1", who: "Ada", isDriver: false, text: "Which van?" },
		{ id: "m2", who: "Ada B", isDriver: true },
	]);
});
