-- works with: 20261123074100_bike_references.sql
-- Postgres reads the constraints of a table again for each statement that writes it, and an order writes seven tables (decision
-- 97). Each value of `in (...)` is an expression, and an array is one. All constraints allow the same rows as before.

-- unused since: 20261123074100_bike_references.sql
alter table products drop constraint products_category_check;
-- unused since: 20261123074100_bike_references.sql
alter table products drop constraint products_options_check;
-- unused since: 20261123074100_bike_references.sql
alter table products drop constraint products_fit_kind_check;
alter table products
  add constraint products_category_check check (category = any ('{Local, Imported}')) not valid,
  add constraint products_options_check check (options = any ('{none, standard, variants}')) not valid,
  add constraint products_fit_kind_check check (fit_kind = any ('{vehicle, universal, gear}')) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table orders drop constraint orders_status_check;
-- unused since: 20261123074100_bike_references.sql
alter table orders drop constraint orders_check1;
alter table orders
  add constraint orders_status_check
    check (status = any ('{unpaid, paid, shipped, cancelled, refunded}')) not valid,
  add constraint orders_check1
    check ((status = any ('{paid, shipped, refunded}')) = (transaction_id is not null)) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table order_lines drop constraint order_lines_options_check;
-- unused since: 20261123074100_bike_references.sql
alter table order_lines drop constraint order_lines_fit;
alter table order_lines
  add constraint order_lines_options_check check (options = any ('{none, standard, variants}')) not valid,
  add constraint order_lines_fit check (
    (bike_id is null) = (fit_answer is null)
    and fit_answer = any ('{fits, fits_some, does_not_fit, not_confirmed, universal}')) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table order_events drop constraint order_events_kind_check;
alter table order_events add constraint order_events_kind_check
  check (kind = any ('{placed, options, claimed, processing, payment_failed, paid, shipped, cancelled, expired, refund_due,
    refunded, refund_failed, items_cancelled, part_shipped, tracking_changed, unshipped, return_requested,
    return_approved, return_rejected, return_closed, withdrawn}')) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table stock_movements drop constraint stock_movements_kind_check;
-- unused since: 20261123074100_bike_references.sql
alter table stock_movements drop constraint stock_movements_check;
alter table stock_movements
  add constraint stock_movements_kind_check
    check (kind = any ('{sale, release, return, restock, count}')) not valid,
  add constraint stock_movements_check
    check ((kind = any ('{sale, release, return}')) = (order_id is not null)) not valid;
