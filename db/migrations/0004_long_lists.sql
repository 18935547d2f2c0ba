-- Lists of 10,000 rows answer a page, a sort and a search within some milliseconds.

-- Finds a text inside of others by its groups of three letters. The owner of a database may create it.
create extension if not exists pg_trgm;

create index products_by_name on products (lower(name), created_at, id) where deleted_at is null;
create index products_search on products using gin (name gin_trgm_ops, supplier gin_trgm_ops)
  where deleted_at is null;

create index customers_by_name on customers (lower(name), created_at desc, id);
create index customers_search on customers
  using gin (name gin_trgm_ops, email gin_trgm_ops, phone gin_trgm_ops);

-- The queries put orders without a date last, and an index serves only the very order it was made in.
drop index orders_newest;
create index orders_newest on orders (placed_at desc nulls last, id) where status <> 'cancelled';
drop index orders_of_customer;
create index orders_of_customer on orders (customer_id, placed_at desc nulls last, id)
  where status <> 'cancelled';

create index orders_by_amount on orders (amount_cents) where status <> 'cancelled';
create index orders_by_email on orders (customer_email) where status <> 'cancelled';
create index order_lines_by_name on order_lines (lower(product_name)) where line_number = 1;
create index orders_search on orders using gin (customer_name gin_trgm_ops, customer_email gin_trgm_ops);
create index order_lines_search on order_lines using gin (product_name gin_trgm_ops);
