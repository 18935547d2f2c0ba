import type { Scope } from '../platform/backup/tables.ts'

/** What a backup of the shop carries: everything, but for what is remade by itself or must never come back. */
export const backupTables: Scope = {
  schemas: ['public', 'identity', 'sandbox'],
  excludedTables: [
    // Each database has its own record of how it was made; the backup names its migrations in its first line.
    'public.migrations',
    // Whoever has signed out, or was put out by a new password, must not be in again.
    'identity.session',
    // Links and codes that were used must not open anything again.
    'identity.verification',
    'identity.email_tokens',
    'sandbox.mailbox',
    // A letter that waited then has gone since.
    'public.mail_outbox',
    // Locked with SHOP_SECRET, which another machine may not have; new ones are drawn where there are none.
    'identity.jwks',
    // Product files on their way: the process that was at them is gone.
    'public.product_imports',
    'public.product_import_rows',
    // Leases and due times of background jobs; created again at the first run.
    'public.jobs',
    // How often someone tried within the last minutes.
    'identity.tries',
  ],
}
