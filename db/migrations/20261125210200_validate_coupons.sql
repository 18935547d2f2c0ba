-- works with: 20261123074100_bike_references.sql

alter table orders validate constraint orders_coupon_id_fkey;
