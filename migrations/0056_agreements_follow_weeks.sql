-- An agreement is final but for its start, which follows the fleet's weeks until one is settled.
DROP TRIGGER `agreements_are_final`;
--> statement-breakpoint
CREATE TRIGGER `agreements_are_final` BEFORE UPDATE OF `id`, `driver_id`, `number`, `base`, `fares_basis_points`, `tips_basis_points`, `promotions_basis_points`, `tolls_to`, `weekly_rent_cents`, `weekly_fee_cents`, `fleet_basis_points`, `per_mile_mills`, `threshold_miles`, `thereafter_mills`, `tax_year_start`, `created_at`, `created_by` ON `agreements`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: an agreement is final');
END;
--> statement-breakpoint
CREATE TRIGGER `agreement_starts_are_final` BEFORE UPDATE OF `starts_on` ON `agreements` WHEN EXISTS (SELECT 1 FROM `settlements`)
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: an agreement is final');
END;
