import type { TestShop } from './shop.ts'

/** Runs an action while webhooks are lost. No delivery is stored, so none is retried later. */
export async function whileWebhooksAreLost<Result>(
  { database: { pool } }: TestShop,
  action: () => Promise<Result>,
): Promise<Result> {
  await pool.query(`
    create function sandbox.lose() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger lose before insert on sandbox.webhook_deliveries for each row execute function sandbox.lose()`)
  try {
    return await action()
  } finally {
    await pool.query('drop function sandbox.lose cascade')
  }
}
