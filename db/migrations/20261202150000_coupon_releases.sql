-- works with: 20261123074100_bike_references.sql
-- A cancelled or refunded order releases its coupon at its commit, as an order counts its use (decision 87). Nothing is
-- locked after a coupon: an order that locks the counter of its emails, and then the coupon at its commit, waited for a
-- cancellation that locked them in the opposite order.

-- Set by a statement that leaves the release to the trigger. A process of an earlier version releases the coupon in its own
-- statement and does not set the column, so that no release happens twice during a deploy.
alter table orders add column has_released_coupon boolean;

-- A release takes no advisory lock, as `use_coupon` does: at most one order waits for the row, because orders take that lock first.
create function release_coupon() returns trigger language plpgsql as $$
begin
  update coupons set used = used - 1 where id = new.coupon_id;
  return null;
end $$;
create constraint trigger orders_release_coupon after update of has_released_coupon on orders
  deferrable initially deferred
  for each row when (new.has_released_coupon and old.has_released_coupon is not true) execute function release_coupon();
