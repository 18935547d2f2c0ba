-- works with: 20261123074100_bike_references.sql
-- An order counts the use of its coupon at its commit (decision 87). The orders with one coupon commit one after the other,
-- and each waits for nothing but the commit of the previous one.

-- The uses are read from the locked row: a count of orders would miss those that are placed at the same time. Orders take
-- turns first: for a lock on a row, newer statements can overtake older ones again and again.
create function use_coupon() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7461026, hashtext(new.coupon_id));
  update coupons set used = used + 1 where id = new.coupon_id and (used < max_uses) is not false;
  if not found then
    raise exception 'the coupon % is used up', new.coupon_id
      using errcode = 'check_violation', constraint = 'coupons_max_uses';
  end if;
  return null;
end $$;
create constraint trigger orders_use_coupon after insert on orders deferrable initially deferred
  for each row when (new.coupon_id is not null) execute function use_coupon();
