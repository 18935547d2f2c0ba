-- works with: 20261123074100_bike_references.sql
-- Parts of an order that ship at different times. Orders that were shipped before have none.

create table shipments (
  id text primary key,
  order_id text not null references orders,
  -- A carrier of contract/carriers.ts, or another name.
  carrier text check (length(carrier) between 1 and 60),
  tracking_numbers text[] not null default '{}' check (cardinality(tracking_numbers) <= 10),
  -- Whether pieces of the order were still open afterwards.
  is_partial boolean not null,
  -- Not now(), which is before the wait for the lock of the order.
  shipped_at timestamptz not null default clock_timestamp()
);
create index shipments_order on shipments (order_id);

-- A line ships as a whole, without its cancelled pieces.
alter table order_lines add shipment_id text;
alter table order_lines add constraint order_lines_shipment_id_fkey
  foreign key (shipment_id) references shipments not valid;
