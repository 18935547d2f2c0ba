import type { Scope } from '../platform/backup/tables.ts'

/** Tables of a backup: all except those that are recreated or must not be restored. */
export const backupTables: Scope = {
  schemas: ['public', 'identity', 'sandbox'],
  excludedTables: [
    // The backup lists its migrations in its header.
    'public.migrations',
    // Ended sessions must not become valid again.
    'identity.session',
    // Sign-ins that have passed the second step have ended.
    'public.two_step_sign_ins',
    // Used links and codes must not become valid again.
    'identity.verification',
    'identity.email_tokens',
    'sandbox.mailbox',
    // Emails in the queue have been sent since the backup.
    'public.mail_outbox',
    // Identifies the secret of the shop, which may differ on the target.
    'public.secret_fingerprint',
    // Encrypted with SHOP_SECRET, which may differ on the target; new keys are generated.
    'identity.jwks',
    // The rows of imports that have not ended. The imports themselves are part of the history.
    'public.product_import_rows',
    'public.wrong_import_rows',
    'public.undo_import_rows',
    'public.fitment_import_rows',
    'public.bike_import_rows',
    'public.aces_import_rows',
    'public.aces_code_import_rows',
    'public.part_number_import_rows',
    'public.redirect_import_rows',
    'public.past_order_import_rows',
    // Leases and due times of background jobs: the first run creates them.
    'public.jobs',
    // Rate limits of the last minutes.
    'identity.rate_limits',
  ],
  // Version 1.0.0 and earlier left out the imports.
  addedTables: ['public.product_imports'],
}
