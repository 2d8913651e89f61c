/** The emails, newest first, and the filters. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import {
	failedMails,
	listMails,
	MAILS_PAGE,
	mailPosition,
	refusedMail,
} from "../../domain/mail/queries.server.ts";
import { MAX_COUNTED, mailState } from "../../domain/mail/rules.ts";
import { listUrl, parseSearch } from "../../domain/mail/search.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { parsePerson, toPersonChoice } from "../../domain/people/choice.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatMoment } from "../../values/calendar-date.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";

/** Everything the screen shows, in one trip to the database. */
export async function emailView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const search = parseSearch(query);
	const person = parsePerson(query, "recipient");
	const { admin, mails, failed, refused, people } = await requireAdmin(args, ({ build }) => ({
		mails: listMails(build, search),
		failed: failedMails(build),
		refused: refusedMail(build),
		people: selectPersonChoices(build, "everybody", person),
	}));
	const choice = toPersonChoice(people, person, "everybody");
	// A single match is used.
	if (choice.isOpen && choice.match && args.context.method !== "POST")
		throw redirect(listUrl({ ...search, recipient: choice.match.id }));
	const page = toPage(mails, search.position, MAILS_PAGE, (mail) => mailPosition(search, mail));
	const { count = 0, uncertain = 0 } = failed[0] ?? {};
	const shown = (moment: number) => formatMoment(admin.timeZone, moment);
	return {
		viewer: toViewer(admin),
		isSending: args.context.settings.mail !== undefined,
		failed: count - uncertain,
		uncertain,
		/** Whether more failed than are counted. */
		isMore: count > MAX_COUNTED,
		/** Why emails are waiting, if the provider refused the last one. */
		refusedFor: refused[0]?.error,
		status: search.status,
		choice,
		isFiltered: listUrl(search) !== listUrl({ status: undefined, recipient: undefined }),
		/** The URL of this page. */
		here: listUrl(search, search.position),
		pages: pageLinks(search.position, page, (position) => listUrl(search, position)),
		mails: page.rows.map(({ id, address, subject, body, createdAt, ...mail }) => ({
			id,
			address,
			subject,
			body,
			state: mailState(mail),
			lastError: mail.lastError,
			created: shown(createdAt),
			detail:
				mail.status === "sent" && mail.sentAt
					? `Sent ${shown(mail.sentAt)}`
					: mail.status === "queued" && mail.sendAfter > createdAt
						? `Scheduled for ${shown(mail.sendAfter)}`
						: "",
		})),
	};
}

export type EmailData = Awaited<ReturnType<typeof emailView>>;
