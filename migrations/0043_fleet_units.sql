INSERT INTO `settings` (`id`, `chosen`)
SELECT 'fleet', '{"unitsOpen":true}'
WHERE EXISTS (SELECT 1 FROM `mileage_logs`)
	OR EXISTS (SELECT 1 FROM `fund_requests`)
	OR EXISTS (SELECT 1 FROM `uber_fees`)
	OR EXISTS (SELECT 1 FROM `archived_years`)
ON CONFLICT (`id`) DO UPDATE SET `chosen` = json_patch(`chosen`, excluded.`chosen`);
