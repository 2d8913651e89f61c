-- What the screen of the emails tells of a provider that refuses them.
CREATE INDEX `mails_refused` ON `mails` (`send_after`) WHERE status = 'queued' and first_tried_at is not null and last_error is not null;
