-- works with: 20261123074100_bike_references.sql

-- Limits of unpaid orders. Orders from before, or from an older version during a deploy, do not count for a network.
alter table orders
  -- The IP of a buyer who counts for its network: a guest, or an account without a verified email.
  add column counted_ip inet,
  -- The idempotency key of a guest. It stays when an account claims the order.
  add column guest_request_key text;

-- The email that the identity provider reported. Null: stored by an older version.
alter table customer_identities add column email text;
update customer_identities set email = customers.email from customers where customers.id = customer_id;
