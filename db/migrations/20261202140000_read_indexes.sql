-- no transaction
-- works with: 20261123074100_bike_references.sql

-- The history of an order reads its stock movements. Sales and releases have an index of their own.
create index concurrently if not exists stock_movements_of_return on stock_movements (order_id) where kind = 'return';

-- No query reads these.
drop index concurrently if exists redirects_target;
drop index concurrently if exists sandbox.payment_intents_newest;
