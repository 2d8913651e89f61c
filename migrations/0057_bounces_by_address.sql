-- Bounces are only looked up by their address.
DROP INDEX `bounces_by_time`;
