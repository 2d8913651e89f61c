UPDATE `mileage_logs` SET `gap_miles` = fresh.gap, `is_out_of_order` = fresh.is_misplaced
FROM (
	SELECT trip_id, gap, is_misplaced FROM (
		SELECT beside.*, nullif(max(start_miles - coalesce(end_before, start_miles), 0), 0) AS gap,
			(coalesce(start_miles < end_before, 0) OR coalesce(end_miles > start_after, 0)
				OR (day_after IS driven_on AND (recorded_after, row_after) < (created_at, row)
					AND start_miles IS NOT end_before AND end_miles IS NOT start_after
					AND NOT coalesce((SELECT (corrected.driven_on, corrected.end_miles) < (day_after, end_after)
						FROM `mileage_logs` AS corrected WHERE corrected.id = beside.corrects_id), 0))) AS is_misplaced
		FROM (
			SELECT id AS trip_id, driven_on, start_miles, end_miles, created_at, rowid AS row, corrects_id, gap_miles, is_out_of_order,
				lag(end_miles) OVER trips AS end_before, lead(start_miles) OVER trips AS start_after,
				lead(end_miles) OVER trips AS end_after, lead(driven_on) OVER trips AS day_after,
				lead(created_at) OVER trips AS recorded_after, lead(rowid) OVER trips AS row_after
			FROM `mileage_logs` WHERE `driver_id` < '4' AND `voided_at` IS NULL
			WINDOW trips AS (PARTITION BY driver_id ORDER BY driven_on, end_miles, id)
		) AS beside
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND (gap_miles IS NOT gap OR is_out_of_order <> is_misplaced)
) AS fresh
WHERE `mileage_logs`.`id` = fresh.trip_id;
--> statement-breakpoint
UPDATE `mileage_logs` SET `is_overlap` = 1 - `is_overlap`
WHERE `id` IN (
	SELECT id FROM (
		SELECT id, driven_on, start_miles, end_miles, is_overlap,
			max(end_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached,
			lead(start_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id) AS next_start
		FROM `mileage_logs` WHERE `driver_id` < '4' AND `voided_at` IS NULL
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND is_overlap <> (coalesce(reached > start_miles, 0) OR coalesce(next_start < end_miles, 0))
);
--> statement-breakpoint
UPDATE `mileage_logs` SET `gap_miles` = fresh.gap, `is_out_of_order` = fresh.is_misplaced
FROM (
	SELECT trip_id, gap, is_misplaced FROM (
		SELECT beside.*, nullif(max(start_miles - coalesce(end_before, start_miles), 0), 0) AS gap,
			(coalesce(start_miles < end_before, 0) OR coalesce(end_miles > start_after, 0)
				OR (day_after IS driven_on AND (recorded_after, row_after) < (created_at, row)
					AND start_miles IS NOT end_before AND end_miles IS NOT start_after
					AND NOT coalesce((SELECT (corrected.driven_on, corrected.end_miles) < (day_after, end_after)
						FROM `mileage_logs` AS corrected WHERE corrected.id = beside.corrects_id), 0))) AS is_misplaced
		FROM (
			SELECT id AS trip_id, driven_on, start_miles, end_miles, created_at, rowid AS row, corrects_id, gap_miles, is_out_of_order,
				lag(end_miles) OVER trips AS end_before, lead(start_miles) OVER trips AS start_after,
				lead(end_miles) OVER trips AS end_after, lead(driven_on) OVER trips AS day_after,
				lead(created_at) OVER trips AS recorded_after, lead(rowid) OVER trips AS row_after
			FROM `mileage_logs` WHERE `driver_id` >= '4' AND `driver_id` < '8' AND `voided_at` IS NULL
			WINDOW trips AS (PARTITION BY driver_id ORDER BY driven_on, end_miles, id)
		) AS beside
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND (gap_miles IS NOT gap OR is_out_of_order <> is_misplaced)
) AS fresh
WHERE `mileage_logs`.`id` = fresh.trip_id;
--> statement-breakpoint
UPDATE `mileage_logs` SET `is_overlap` = 1 - `is_overlap`
WHERE `id` IN (
	SELECT id FROM (
		SELECT id, driven_on, start_miles, end_miles, is_overlap,
			max(end_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached,
			lead(start_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id) AS next_start
		FROM `mileage_logs` WHERE `driver_id` >= '4' AND `driver_id` < '8' AND `voided_at` IS NULL
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND is_overlap <> (coalesce(reached > start_miles, 0) OR coalesce(next_start < end_miles, 0))
);
--> statement-breakpoint
UPDATE `mileage_logs` SET `gap_miles` = fresh.gap, `is_out_of_order` = fresh.is_misplaced
FROM (
	SELECT trip_id, gap, is_misplaced FROM (
		SELECT beside.*, nullif(max(start_miles - coalesce(end_before, start_miles), 0), 0) AS gap,
			(coalesce(start_miles < end_before, 0) OR coalesce(end_miles > start_after, 0)
				OR (day_after IS driven_on AND (recorded_after, row_after) < (created_at, row)
					AND start_miles IS NOT end_before AND end_miles IS NOT start_after
					AND NOT coalesce((SELECT (corrected.driven_on, corrected.end_miles) < (day_after, end_after)
						FROM `mileage_logs` AS corrected WHERE corrected.id = beside.corrects_id), 0))) AS is_misplaced
		FROM (
			SELECT id AS trip_id, driven_on, start_miles, end_miles, created_at, rowid AS row, corrects_id, gap_miles, is_out_of_order,
				lag(end_miles) OVER trips AS end_before, lead(start_miles) OVER trips AS start_after,
				lead(end_miles) OVER trips AS end_after, lead(driven_on) OVER trips AS day_after,
				lead(created_at) OVER trips AS recorded_after, lead(rowid) OVER trips AS row_after
			FROM `mileage_logs` WHERE `driver_id` >= '8' AND `driver_id` < 'c' AND `voided_at` IS NULL
			WINDOW trips AS (PARTITION BY driver_id ORDER BY driven_on, end_miles, id)
		) AS beside
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND (gap_miles IS NOT gap OR is_out_of_order <> is_misplaced)
) AS fresh
WHERE `mileage_logs`.`id` = fresh.trip_id;
--> statement-breakpoint
UPDATE `mileage_logs` SET `is_overlap` = 1 - `is_overlap`
WHERE `id` IN (
	SELECT id FROM (
		SELECT id, driven_on, start_miles, end_miles, is_overlap,
			max(end_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached,
			lead(start_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id) AS next_start
		FROM `mileage_logs` WHERE `driver_id` >= '8' AND `driver_id` < 'c' AND `voided_at` IS NULL
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND is_overlap <> (coalesce(reached > start_miles, 0) OR coalesce(next_start < end_miles, 0))
);
--> statement-breakpoint
UPDATE `mileage_logs` SET `gap_miles` = fresh.gap, `is_out_of_order` = fresh.is_misplaced
FROM (
	SELECT trip_id, gap, is_misplaced FROM (
		SELECT beside.*, nullif(max(start_miles - coalesce(end_before, start_miles), 0), 0) AS gap,
			(coalesce(start_miles < end_before, 0) OR coalesce(end_miles > start_after, 0)
				OR (day_after IS driven_on AND (recorded_after, row_after) < (created_at, row)
					AND start_miles IS NOT end_before AND end_miles IS NOT start_after
					AND NOT coalesce((SELECT (corrected.driven_on, corrected.end_miles) < (day_after, end_after)
						FROM `mileage_logs` AS corrected WHERE corrected.id = beside.corrects_id), 0))) AS is_misplaced
		FROM (
			SELECT id AS trip_id, driven_on, start_miles, end_miles, created_at, rowid AS row, corrects_id, gap_miles, is_out_of_order,
				lag(end_miles) OVER trips AS end_before, lead(start_miles) OVER trips AS start_after,
				lead(end_miles) OVER trips AS end_after, lead(driven_on) OVER trips AS day_after,
				lead(created_at) OVER trips AS recorded_after, lead(rowid) OVER trips AS row_after
			FROM `mileage_logs` WHERE `driver_id` >= 'c' AND `voided_at` IS NULL
			WINDOW trips AS (PARTITION BY driver_id ORDER BY driven_on, end_miles, id)
		) AS beside
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND (gap_miles IS NOT gap OR is_out_of_order <> is_misplaced)
) AS fresh
WHERE `mileage_logs`.`id` = fresh.trip_id;
--> statement-breakpoint
UPDATE `mileage_logs` SET `is_overlap` = 1 - `is_overlap`
WHERE `id` IN (
	SELECT id FROM (
		SELECT id, driven_on, start_miles, end_miles, is_overlap,
			max(end_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached,
			lead(start_miles) OVER (PARTITION BY driver_id ORDER BY start_miles, id) AS next_start
		FROM `mileage_logs` WHERE `driver_id` >= 'c' AND `voided_at` IS NULL
	)
	WHERE driven_on > coalesce((SELECT max(`year`) || '-12-31' FROM `archived_years`), '') AND is_overlap <> (coalesce(reached > start_miles, 0) OR coalesce(next_start < end_miles, 0))
);
